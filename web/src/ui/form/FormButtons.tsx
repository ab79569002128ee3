import { Button, type ButtonProps, Group } from "@mantine/core";
import type { ComponentProps } from "react";

type FormButtonsProps = ButtonProps & ComponentProps<"button"> & { label: string; onCancel: () => void };

/** The end of a dialog's form: Cancel, and the button that submits it. `children` come first. */
export function FormButtons({ label, onCancel, children, ...submit }: FormButtonsProps) {
  return (
    <Group gap={8} justify="flex-end">
      {children}
      <Button size="xs" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" size="xs" variant="filled" {...submit}>
        {label}
      </Button>
    </Group>
  );
}
