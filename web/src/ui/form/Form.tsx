import { type MantineSpacing, Stack } from "@mantine/core";
import type { ComponentPropsWithRef, SubmitEvent } from "react";

type FormProps = Omit<ComponentPropsWithRef<"form">, "onSubmit"> & {
  gap?: MantineSpacing;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
};

/** A form whose fields the app checks, not the browser. */
export function Form({ gap = "md", onSubmit, children, ...form }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
      {...form}
    >
      <Stack gap={gap}>{children}</Stack>
    </form>
  );
}
