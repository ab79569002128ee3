import { Box, type BoxProps, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

type ErrorPanelProps = Pick<BoxProps, "m"> & {
  /** What went wrong, in terms that staff understand. */
  message: string;
  /** A reference to quote when asking for help, such as a request id. */
  reference?: string | null;
  onRetry?: () => void;
  isRetrying?: boolean;
  retryLabel?: string;
};

/** Shown in a panel that couldn't load. Never shows a code or a stack trace. */
export function ErrorPanel(props: ErrorPanelProps) {
  const { message, reference = null, onRetry, isRetrying = false, retryLabel = "Try again", ...box } = props;
  return (
    <Group role="alert" gap="sm" px="md" py="0.875rem" bdrs="0.75rem" bg="var(--sd-bad-soft)" {...box}>
      <IconAlertTriangle size={20} stroke={1.75} color="var(--sd-bad)" aria-hidden="true" />
      <Box flex="1 1 12rem" miw={0}>
        <Text fw={500} style={{ overflowWrap: "anywhere" }}>
          {message}
        </Text>
        {reference !== null && (
          <Text mt={2} fz="xs" c="var(--sd-neutral)">
            {reference}
          </Text>
        )}
      </Box>
      {onRetry !== undefined && (
        <Button onClick={onRetry} loading={isRetrying}>
          {retryLabel}
        </Button>
      )}
    </Group>
  );
}
