import { Restarted } from "./daemon";

/** Trouble says why the newest state is not shown. */
export function Trouble({ error }: { error: Error | null }) {
  if (error === null) return null;
  if (error instanceof Restarted) {
    return (
      <p className="error" role="alert">
        The daemon was started again. What is shown here is from before. <button onClick={() => window.location.reload()}>Reload</button>
      </p>
    );
  }
  return <p className="error" role="alert">{error.message}</p>;
}
