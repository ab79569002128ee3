import { formatCsv } from "@slabdesk/contract/sheet/csv.ts";
import { TEMPLATE_FILE_NAME, TEMPLATE_LINES } from "@slabdesk/contract/sheet/session-name.ts";
import { Button, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { logActivity } from "../../../api/activity.ts";
import { Step } from "./Step.tsx";
import { saveText } from "../../../ui/files/save-file.ts";
import { TextButton } from "../TextButton.tsx";
import styles from "./steps.module.css";

/** So that the finished step takes one line. */
const BESIDE_TITLE = { position: "absolute", top: 0, right: 0, fontSize: "0.8125rem", lineHeight: "1.625rem" } as const;

/** `isBehind`: a later step is under way. */
export function TemplateStep({ isBehind }: { isBehind: boolean }) {
  const [hasTemplate, setHasTemplate] = useState(false);
  const isDone = hasTemplate || isBehind;
  const download = (): void => {
    saveText(TEMPLATE_FILE_NAME, formatCsv(TEMPLATE_LINES));
    setHasTemplate(true);
    void logActivity({ activityType: "template_download", description: `Downloaded ${TEMPLATE_FILE_NAME}` });
  };
  return (
    <Step number={1} title="Template" state={isDone ? "done" : "current"}>
      {isDone ? (
        <TextButton
          className={styles.quiet ?? ""}
          style={BESIDE_TITLE}
          onClick={download}
          aria-label={`Download template ${TEMPLATE_FILE_NAME} again`}
        >
          {TEMPLATE_FILE_NAME}
        </TextButton>
      ) : (
        <>
          <Text size="xs" c="dimmed" mb={10}>
            CertNumber, GradingCompany, Price and Notes, with an example of each company.
          </Text>
          <Button size="xs" leftSection={<IconDownload size={16} aria-hidden="true" />} onClick={download}>
            Download Template
          </Button>
        </>
      )}
    </Step>
  );
}
