import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FindPattern, findPatternOf, Marked } from "./Marked.tsx";

test.each<[string, string[], string, string]>([
  ["a word, in upper and lower case", ["pika"], "2023 PIKACHU Pika", "2023 [PIKA]CHU [Pika]"],
  ["each of several words", ["red", "8"], "Red 8", "[Red] [8]"],
  ["the longer one of two words that begin alike", ["char", "charizard"], "Charizard", "[Charizard]"],
  ["characters that mean something in a pattern", ["(1", ".5$", "\\"], "9.5$ (1) \\ 9x5", "9[.5$] [(1]) [\\] 9x5"],
  ["nothing in a text without a match", ["mew"], "Pikachu", "Pikachu"],
  ["nothing without a find text", [], "Pikachu", "Pikachu"],
])("marks %s", (_, words, text, expected) => {
  const html = renderToStaticMarkup(
    <FindPattern value={findPatternOf(words)}>
      <Marked text={text} />
    </FindPattern>,
  );
  expect(html.replaceAll(/<mark[^>]*>/g, "[").replaceAll("</mark>", "]")).toBe(expected);
});
