import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { queryKeys } from "../../api/query-keys.ts";
import { UnencryptedNote } from "./StatusNotes.tsx";

test.each([true, false])(
  "the Admin page warns if other machines reach the server without https: %s",
  (isUnencrypted) => {
    const client = new QueryClient();
    client.setQueryData(queryKeys.status(), { isUnencrypted });
    const markup = renderToStaticMarkup(
      <QueryClientProvider client={client}>
        <MantineProvider>
          <UnencryptedNote />
        </MantineProvider>
      </QueryClientProvider>,
    );
    expect(markup.includes("passwords are sent unencrypted")).toBe(isUnencrypted);
  },
);
