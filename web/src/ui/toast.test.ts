import { notificationsStore } from "@mantine/notifications";
import { expect, test } from "vitest";
import { toast } from "./toast.tsx";

test("a toast replaces the one with the same id", () => {
  toast.error({ id: "price", message: "The source did not answer" });
  toast.error({ id: "price", message: "The source has no price" });
  toast.done({ message: "Saved" });
  expect(notificationsStore.getState().notifications.map(({ message }) => message)).toEqual([
    "The source has no price",
    "Saved",
  ]);
});
