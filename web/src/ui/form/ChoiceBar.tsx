import { Button } from "@mantine/core";

type ChoiceBarProps<Value extends string> = {
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: "sm" | "md";
};

/** A row of buttons, one of which is pressed. */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>) {
  const { label, choices, value, onChange, size = "sm" } = props;
  return (
    <Button.Group bd="1px solid var(--sd-line)" bdrs="var(--sd-radius-control)" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          size={size === "sm" ? "compact-xs" : "compact-sm"}
          variant="subtle"
          px={size === "sm" ? 10 : 12}
          {...(choice.value === value && { bg: "var(--sd-accent-soft)", c: "var(--sd-accent)" })}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </Button>
      ))}
    </Button.Group>
  );
}
