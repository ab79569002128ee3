import {
  EmbeddedDatabaseError,
  type EmbeddedDatabaseProblem,
} from "@slabdesk/embedded-database/embedded-database-error.ts";
import { expect, test } from "vitest";
import { explainStartFailure } from "./start-failure.ts";

test.each<[EmbeddedDatabaseProblem, string]>([
  ["data_folder_in_use", "another DATA_DIR and PORT"],
  ["foreign_folder", "Set DATA_DIR"],
  ["no_account", "set DATABASE_URL"],
  ["unsupported_platform", "Set DATABASE_URL"],
])("the embedded database's problem %s is explained with what to do: %s", (problem, advice) => {
  const explanation = explainStartFailure(new EmbeddedDatabaseError(problem, "What is wrong."), null);
  expect(explanation).toEqual({ message: expect.stringContaining(advice) as string, exitCode: 1 });
  expect(explanation?.message).toMatch(/^What is wrong\.\n/);
});
