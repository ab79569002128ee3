import { type MantineSpacing, Stack } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

type FormProps = Omit<ComponentPropsWithRef<"form">, "onSubmit"> & { gap?: MantineSpacing; onSubmit: () => void };

/** A form whose fields the app checks, not the browser. */
export function Form({ gap = "md", onSubmit, children, ...form }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...form}
    >
      <Stack gap={gap}>{children}</Stack>
    </form>
  );
}
