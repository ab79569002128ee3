import { type Load, loadProblem } from "../../api/errors.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";

export function AdminLoadError({ query }: { query: Load }) {
  return <ErrorPanel {...loadProblem(query, "Error loading admin data:")} retryLabel="Try Again" />;
}
