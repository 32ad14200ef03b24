import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The daemon serves dist/app at /pride/ under a policy that allows files of its own only: no inline script or style, no data addresses.
export default defineConfig({
  base: "/pride/",
  plugins: [react()],
  build: {
    outDir: "dist/app",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    target: "es2022",
  },
  worker: { format: "es" },
  server: { proxy: { "^/(?!pride/)": { target: "http://127.0.0.1:8080", ws: true } } },
});
