import type { OwnLookUp } from "@slabdesk/contract/api/lookup-history.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatDay, formatExactMoment } from "@slabdesk/contract/certs/dates.ts";
import { Box, Button, Group, Text } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment } from "react";
import { loadProblem } from "../../api/errors.ts";
import { provenanceQuery } from "../../api/rows.ts";
import { TWICE_OPEN_MESSAGE, valuesMessage } from "../../run/lookup-history-messages.ts";
import { modeMessage } from "../../run/session-messages.ts";
import { useAction } from "../../api/use-action.ts";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { keyed } from "../../ui/keyed.ts";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { toast } from "../../ui/toast.tsx";
import { Fact, Facts, Remark, Section } from "../CardParts.tsx";
import * as provenanceMessages from "./provenance-messages.ts";
import { legendOf, piecesOf } from "./whitespace.ts";

const LINES = { fz: "sm", lh: 1.45, style: { overflowWrap: "anywhere" } } as const;

type RowProps = { row: ResultRow; isRunning: boolean };

/** How the row came to be what it is: price history, earlier lookups, attempts, and the line as uploaded. */
export function ProvenanceSections({ row, isRunning }: RowProps) {
  const query = useQuery(provenanceQuery(row));
  if (!query.data)
    return (
      <Section label="History">
        {query.isError ? (
          <ErrorPanel {...loadProblem(query, "The history could not be loaded.")} />
        ) : (
          <GhostRows count={6} rowHeight="2.25rem" label="Loading the history" />
        )}
      </Section>
    );
  // The table's row is used, because it gets changes first.
  const provenance = { ...query.data, row };
  return (
    <>
      <PriceHistory quotes={provenance.quotes} />
      <EarlierLookups {...provenance.lookupHistory} />
      <Section label="History" side={<CopyReport row={row} isRunning={isRunning} />}>
        <Attempts {...provenance} />
      </Section>
      <UploadedLine {...provenance} />
      <Reference {...provenance} />
    </>
  );
}

/** What each fetch of the card's price returned, oldest first. */
function PriceHistory({ quotes }: Pick<Provenance, "quotes">) {
  if (quotes.length === 0) return null;
  return (
    <Section label="Price history">
      <Text component="ul" {...LINES}>
        {quotes.map((quote) => (
          <DatedLine
            key={`${quote.source} ${quote.fetchedAt}`}
            at={quote.fetchedAt}
            title={formatExactMoment(quote.fetchedAt)}
            text={PRICE_SOURCE_NAMES[quote.source]}
            value={provenanceMessages.quoteMessage(quote)}
          />
        ))}
      </Text>
      {provenanceMessages.driftMessage(quotes).map((message) => (
        <Text key={message} fz="sm" fw={550} mt={6}>
          {message}
        </Text>
      ))}
    </Section>
  );
}

/** Who looked the card up before, newest first, with its value then and now. */
function EarlierLookups({ own, colleagues, isTwiceOpen }: Provenance["lookupHistory"]) {
  return (
    <Section label="Earlier lookups">
      {own.length + colleagues.length === 0 && <Remark>This is the first lookup of this card.</Remark>}
      <Text component="ul" {...LINES}>
        {own.map((lookUp) => (
          <DatedLine key={lookUp.resultId} at={lookUp.at} text={placeOf(lookUp)} value={valuesMessage(lookUp)} />
        ))}
        {colleagues.map(({ by, at }) => (
          <DatedLine key={`${by} ${at}`} at={at} text={by} />
        ))}
      </Text>
      {isTwiceOpen && <Remark>{TWICE_OPEN_MESSAGE}</Remark>}
    </Section>
  );
}

const placeOf = ({ owner, sessionName, line }: OwnLookUp): string =>
  [owner, sessionName, `line ${line}`].filter((part) => part !== undefined).join(" · ");

function DatedLine({ at, title, text, value }: { at: string; title?: string; text: string; value?: string | null }) {
  return (
    <Box component="li" display="grid" py={5} style={{ gridTemplateColumns: "7rem minmax(0, 1fr) auto", gap: 12 }}>
      <time dateTime={at} title={title} style={{ color: "var(--sd-muted)" }}>
        {formatDay(at)}
      </time>
      <span>{text}</span>
      <span style={{ textAlign: "end", fontVariantNumeric: "tabular-nums" }}>{value}</span>
    </Box>
  );
}

function Attempts({ lookUps, row }: Provenance) {
  if (lookUps.length === 0) return <Text c="dimmed">{provenanceMessages.noAttemptMessage(row)}</Text>;
  return (
    <Text component="ol" {...LINES}>
      {keyed(lookUps, ({ at }) => at).map(({ key, item }) => (
        <AttemptLine key={key} {...provenanceMessages.attemptOf(item, row)} isLast={item === lookUps.at(-1)} />
      ))}
    </Text>
  );
}

type AttemptLineProps = ReturnType<typeof provenanceMessages.attemptOf> & { isLast: boolean };

/** An attempt with a dot, and a line to the next attempt's dot. */
function AttemptLine({ at, asked, duration, chip, tone, message, isLast }: AttemptLineProps) {
  return (
    <Box component="li" pos="relative" display="grid" pb={isLast ? 0 : 14} pl={20} style={{ gap: 1 }}>
      <Box pos="absolute" top={6} left={1} w={9} h={9} bdrs="50%" bg={`var(--sd-${tone})`} aria-hidden="true" />
      {!isLast && <Box pos="absolute" top={19} bottom={-3} left={5} w={1} bg="var(--sd-line)" aria-hidden="true" />}
      <Group component="span" gap={8} wrap="nowrap">
        <span style={{ fontWeight: 550 }}>{asked}</span>
        <Tag tone={tone} variant="small">
          {chip}
        </Tag>
      </Group>
      {message !== null && <span>{message}</span>}
      <Text span inherit c="dimmed">
        <time dateTime={at}>{formatExactMoment(at)}</time>
        {duration !== null && ` · took ${duration}`}
      </Text>
    </Box>
  );
}

function UploadedLine(provenance: Provenance) {
  const cells = provenanceMessages.lineCells(provenance);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return (
    <Section label={`Line ${provenance.row.line} as uploaded`}>
      <Facts variant="list">
        {keyed(cells, ({ name }) => name).map(({ key, item: { name, cell } }) => (
          <Fact key={key} name={name}>
            {cell === "" ? <span style={{ color: "var(--sd-muted)" }}>empty</span> : <Cell cell={cell} />}
          </Fact>
        ))}
      </Facts>
      {legend !== null && <Remark mt={6}>{legend}</Remark>}
    </Section>
  );
}

/** The cell exactly as typed, with significant white space shown as symbols. */
function Cell({ cell }: { cell: string }) {
  return keyed(piecesOf(cell), ({ text }) => text).map(({ key, item: { text, name } }) =>
    name === null ? (
      <Fragment key={key}>{text}</Fragment>
    ) : (
      <Box key={key} component="mark" bdrs={3} bg="var(--sd-warn-soft)" c="var(--sd-warn)" fw={650} title={name}>
        {text}
      </Box>
    ),
  );
}

function Reference({ row, sessionName, csvFilename, processingMode, createdAt }: Provenance) {
  return (
    <Section label="Reference">
      <Facts variant="list">
        <Fact name="Session">{sessionName}</Fact>
        <Fact name="File">{`${csvFilename}, line ${row.line}`}</Fact>
        <Fact name="Data source">{modeMessage(processingMode)}</Fact>
        <Fact name="Uploaded">{formatExactMoment(createdAt)}</Fact>
        <Fact name="Row and session">{`${row.id} · ${row.sessionId}`}</Fact>
      </Facts>
    </Section>
  );
}

const NOT_ALLOWED = { message: "Your browser doesn't allow copying here. Open Slabdesk by its https address." };

/** Copies the history as text; loads it if needed. Browsers allow this only on HTTPS and localhost. */
function CopyReport({ row, isRunning }: RowProps) {
  const client = useQueryClient();
  const id = "copied-history";
  const copy = useAction({
    send: async () => {
      const provenance = await client.query({ ...provenanceQuery(row), staleTime: "static" });
      const text = provenanceMessages.provenanceReport({ ...provenance, row }, { isRunning, nowMs: Date.now() });
      await navigator.clipboard.writeText(text);
    },
    failure: (_, error) => ({ id, title: "Nothing was copied", ...(error instanceof DOMException && NOT_ALLOWED) }),
    onDone: () => toast.done({ id, message: "Copied for support" }),
  });
  return (
    <Button
      size="compact-xs"
      leftSection={<IconCopy size={14} aria-hidden="true" />}
      onClick={() => copy.run(undefined)}
    >
      Copy for support
    </Button>
  );
}
