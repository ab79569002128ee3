import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import type { ExportFormat } from "../../api/sessions.ts";
import { EXPORT_CHOICES, type ExportChoice } from "./export-choices.ts";

type ExportMenuProps = {
  /** The main button's format, which the menu omits. */
  except: ExportFormat;
  onChoose: (choice: ExportChoice) => void;
};

/** The other formats that a session can be downloaded in. */
export function ExportMenu({ except, onChoose }: ExportMenuProps): ReactNode {
  return (
    <Menu
      withInitialFocusPlaceholder={false}
      position="bottom-end"
      width={270}
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
    >
      <Menu.Target>
        <Button
          size="xs"
          variant="filled"
          h={32}
          px={8}
          bdrs="0 0.5625rem 0.5625rem 0"
          aria-label="More formats"
          title="More formats"
        >
          <IconChevronDown size={16} aria-hidden="true" />
        </Button>
      </Menu.Target>
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
