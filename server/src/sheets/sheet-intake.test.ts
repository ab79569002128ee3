import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Person, type TestServer } from "../testing/test-server.ts";

/* What one person sends must not keep others from working. */

let server: TestServer;
let [ana, ben]: Person[] = [];
beforeAll(async () => {
  server = await startTestServer({}, { sheetDeadlineMs: 4_000, slowBodyMs: 500 });
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(() => server.close());

function headersOf(person: Person | undefined): Record<string, string> {
  if (!person) throw new Error("The person was not added");
  return person.headers;
}

/** Begins a request whose body never ends; resolves with its answer. */
async function sendWithoutEnd(person: Person | undefined, path: string, type: string, bytes = 9_000_000) {
  const socket: Socket = connect(Number(new URL(await server.address()).port), "127.0.0.1");
  const { authorization } = headersOf(person);
  const method = path.includes("image") ? "PUT" : "POST";
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${bytes}\r\n\r\n{`,
  );
  let heard = "";
  socket.on("data", (bytes) => (heard += bytes.toString()));
  await new Promise((resolve) => socket.once("close", resolve));
  return heard;
}

describe("a sheet", () => {
  test("of millions of values is refused in the end, and other requests are answered meanwhile", async () => {
    const order: string[] = [];
    const rows = Array(8_000_000).fill("{}").join();
    const address = await server.address();
    const sending = fetch(`${address}/api/scan-sessions`, {
      method: "POST",
      headers: { ...headersOf(ana), "content-type": "application/json" },
      body: `{"csvFilename":"x.csv","header":[],"rows":[${rows}]}`,
    }).then(async (answer) => {
      order.push("sheet");
      return { status: answer.status, body: await answer.json() };
    });
    for (let count = 0; count < 10 && !order.includes("sheet"); count += 1) {
      const { status } = await fetch(`${address}/healthz`);
      order.push(`healthz ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { status, body } = await sending;
    expect([status, body]).toEqual([413, expect.objectContaining({ code: "too_large" })]);
    expect(order.slice(0, 10)).toEqual(Array(10).fill("healthz 200"));
  });
});

test.each([
  ["/api/scan-sessions", "application/json"],
  ["/api/scan-plans", "application/json"],
  ["/api/scan-results/1/image/front", "image/png"],
])("a body of %s that stops arriving is ended, and its place is free again", async (path, type) => {
  const sent = [1, 2].map(() => sendWithoutEnd(ana, path, type));
  for (const answer of await Promise.all(sent)) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*arrived too slowly/i);
  }
  expect(server.errors).toEqual([]);
});

test("two large sheets of one person that stop arriving leave room for a colleague's", async () => {
  const sent = [1, 2, 3].map(() => sendWithoutEnd(ana, "/api/scan-plans", "application/json"));
  const first = Promise.race(sent.map((answer) => answer.then(() => "idle sheet")));
  const plan = server.app.inject({
    method: "POST",
    url: "/api/scan-plans",
    headers: headersOf(ben),
    payload: { rows: [{ line: 1, certNumber: "12345678", gradingCompany: "PSA", notes: "x".repeat(20) }], pad: "x".repeat(5_000_000) },
  });
  expect(await Promise.race([first, plan.then((answer) => answer.statusCode)])).toBe(200);
  await Promise.all(sent);
});
