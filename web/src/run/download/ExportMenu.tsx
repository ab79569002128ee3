import { Menu, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { ExportFormat } from "../../api/sessions.ts";
import { EXPORT_CHOICES, type ExportChoice } from "./export-choices.ts";

type ExportMenuProps = {
  position: "top-start" | "bottom-end";
  /** A format that the menu omits. */
  except?: ExportFormat;
  onChoose: (choice: ExportChoice) => void;
  /** The button that opens the menu. */
  children: ReactNode;
};

/** The formats that rows can be downloaded in. */
export function ExportMenu({ position, except, onChoose, children }: ExportMenuProps): ReactNode {
  return (
    <Menu
      withInitialFocusPlaceholder={false}
      position={position}
      width={270}
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown style={{ overflowY: "auto" }}>
        {EXPORT_CHOICES.map(({ title, choices }, index) => (
          <Fragment key={title}>
            {index > 0 && <Menu.Divider />}
            <Menu.Label>{title}</Menu.Label>
            {choices
              .filter(({ format }) => format !== except)
              .map((choice) => (
                <Menu.Item key={choice.label} onClick={() => onChoose(choice)}>
                  <Text span display="block" fz="0.84375rem" lh={1.35}>
                    {choice.label}
                  </Text>
                  <Text span display="block" fz="xs" lh={1.35} c="dimmed">
                    {choice.note}
                  </Text>
                </Menu.Item>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
