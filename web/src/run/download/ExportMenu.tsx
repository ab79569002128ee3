import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import type { ExportFormat } from "../../api/client.ts";
import { EXPORT_CHOICES, type ExportChoice } from "./export-choices.ts";
import styles from "../session-actions.module.css";

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
        <Button size="xs" variant="filled" className={styles.more} aria-label="More formats" title="More formats">
          <IconChevronDown size={16} aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu ?? ""}>
        {EXPORT_CHOICES.map(({ title, choices }, index) => (
          <Fragment key={title}>
            {index > 0 && <Menu.Divider />}
            <Menu.Label>{title}</Menu.Label>
            {choices
              .filter(({ format }) => format !== except)
              .map((choice) => (
                <Menu.Item key={choice.label} onClick={() => onChoose(choice)}>
                  <span className={styles.label}>{choice.label}</span>
                  <span className={styles.note}>{choice.note}</span>
                </Menu.Item>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
