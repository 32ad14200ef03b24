import { Restarted } from "./daemon";

/** Trouble says why the newest state is not shown. That the daemon was started again is said above all views. */
export function Trouble({ error }: { error: Error | string | null }) {
  if (error === null || error instanceof Restarted) return null;
  return <p className="notice bad" role="alert">{typeof error === "string" ? error : error.message}</p>;
}
