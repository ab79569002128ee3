import "@fontsource-variable/inter";
import "./start-styles.ts";
import "./theme.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { cssVariables, theme } from "./theme.ts";

/** `color-scheme.js` reads the choice before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "slabdesk-color-scheme" });

/** The HTTP client handles retries, so that one place decides what is retried. */
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false } },
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        <App />
      </MantineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
