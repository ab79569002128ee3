import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator, type Simulator } from "./simulator.ts";
import cgcPages from "./recorded/cgc-pages.json" with { type: "json" };
import psaCerts from "./recorded/psa-certs.json" with { type: "json" };
import psaImages from "./recorded/psa-images.json" with { type: "json" };
import psaPages from "./recorded/psa-pages.json" with { type: "json" };
import { RECORDED_CGC_NUMBERS } from "./cgc/cgc-recorded.ts";
import { RECORDED_PSA_NUMBERS } from "./psa/psa-recorded.ts";
import { RECORDED_TAG_NUMBERS } from "./tag/tag-recorded.ts";
import tagDetail from "./recorded/tag-detail.json" with { type: "json" };
import tagPages from "./recorded/tag-pages.json" with { type: "json" };

let simulator: Simulator;
let cgcToken: string;

beforeAll(async () => {
  simulator = await startSimulator();
  const { CGC_API_USERNAME: Username, CGC_API_PASSWORD: Password } = simulator.settings;
  const login = await fetch(`${simulator.origin}/cgc-api/auth/login/CGC`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Username, Password }),
  });
  cgcToken = await login.text();
});
afterAll(() => simulator.close());

const psaApi = async (call: string, certNumber: string): Promise<unknown> =>
  (
    await fetch(`${simulator.settings.PSA_API_URL}/cert/${call}/${certNumber}`, {
      headers: { authorization: `Bearer ${simulator.settings.PSA_API_TOKEN}` },
    })
  ).json();
const cgcApi = async (certNumber: string): Promise<unknown> =>
  (
    await fetch(`${simulator.settings.CGC_API_URL}/cards/certifications/v3/lookup/${certNumber}?include=pop,images`, {
      headers: { authorization: `Bearer ${cgcToken}` },
    })
  ).json();
const tagApi = async (certNumber: string): Promise<Response> =>
  fetch(`${simulator.settings.TAG_API_URL}/graded-cards/public/detail/${certNumber}`, {
    headers: { "x-tag-key": simulator.settings.TAG_API_KEY ?? "" },
  });
const page = async (url: string): Promise<string> => (await fetch(url)).text();

/** Label and value of every dt and dd, as a browser would show them. */
function pairsIn(html: string): [string, string][] {
  const clean = (text = ""): string =>
    text
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&")
      .trim();
  return [...html.matchAll(/<dt[^>]*>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)].map(([, label, value]) => [
    clean(label),
    clean(value),
  ]);
}

describe("PSA", () => {
  test.each(psaCerts)("API body of $PSACert.CertNumber matches the recording", async (body) => {
    expect(await psaApi("GetByCertNumber", body.PSACert.CertNumber)).toEqual(body);
  });

  test.each(Object.entries(psaImages))("images of %s match the recording, in order", async (certNumber, images) => {
    const served = images.map((image) => ({
      ...image,
      ImageURL: image.ImageURL.replace("https://d1htnxwo4o0jhw.cloudfront.net", `${simulator.origin}/psa-images`),
    }));
    expect(await psaApi("GetImagesByCertNumber", certNumber)).toEqual(served);
  });

  test.each(psaPages.filter(({ layout }) => layout === "dl"))(
    "page of $fields.'Cert Number' prints the recorded rows",
    async ({ fields }) => {
      const html = await page(`${simulator.settings.PSA_WEB_URL}/cert/${fields["Cert Number"]}/psa`);
      const rows = Object.entries(fields);
      expect(pairsIn(html).slice(0, rows.length)).toEqual(rows);
      expect(html.indexOf("Sales of Similar Items")).toBeGreaterThan(html.indexOf("Item Information"));
    },
  );

  test.each(psaPages)(
    "API body of page-recorded $fields.Subject$fields.Player matches the page",
    async ({ fields, scans }) => {
      const field = (...labels: string[]): string | undefined =>
        Object.entries(fields).find(([label]) => labels.includes(label))?.[1];
      const certNumber = field("Cert Number", "Certification Number") ?? "";
      expect(await psaApi("GetByCertNumber", certNumber)).toMatchObject({
        PSACert: {
          CertNumber: certNumber,
          Year: field("Year"),
          Brand: field("Brand/Title", "Brand"),
          Subject: field("Subject", "Player"),
          CardNumber: field("Card Number"),
          CardGrade: field("Item Grade", "Grade"),
          Variety: field("Variety/Pedigree") ?? "",
        },
      });
      const images = await psaApi("GetImagesByCertNumber", certNumber);
      if (scans) expect(images).toHaveLength(scans.length);
      else expect(images).toHaveLength(2);
    },
  );

  test("86344925 has the layout of 2023", async () => {
    const html = await page(`${simulator.settings.PSA_WEB_URL}/cert/86344925/psa`);
    expect(html).toContain(
      `<div id="certImgFront"><img src="${simulator.origin}/psa-images/cert/152762159/small/kXgCxEvrLUWkNecjUmI_gg.jpg"`,
    );
    expect(html).toContain("<th>Player</th><td>CHARIZARD ex</td>");
    expect(html).not.toContain("<dl>");
  });

  test("pages print HTML entities and other people's images of the same form", async () => {
    const html = await page(`${simulator.settings.PSA_WEB_URL}/cert/153420191/psa`);
    expect(html).toContain("LET&#x27;S START CAMPAIGN");
    const others = html.slice(html.indexOf("Sales of Similar Items"));
    expect(others).toMatch(/\/psa-images\/cert\/\d+\/small\/[\w-]{22}\.jpg/);
    expect(others).toMatch(/<dt>Cert Number<\/dt><dd>(?!153420191)\d+</);
  });
});

describe("CGC", () => {
  test.each(cgcPages)(
    "page of $pageUrl prints the recorded pairs and images, reverse first",
    async ({ pageUrl, pairs, scans, population }) => {
      const html = await page(pageUrl.replace("https://www.cgccards.com", simulator.settings.CGC_WEB_URL ?? ""));
      expect(pairsIn(html)).toEqual(pairs);
      const links = [...html.matchAll(/<a href="([^"]+)"><img title="(\w+)"/g)].map(([, url, label]) => ({
        label,
        url,
      }));
      const served = scans.map(({ label, url }) => ({
        label,
        url: `${simulator.origin}/cgc-images${new URL(url).pathname}`,
      }));
      expect(links).toEqual(served.toReversed());
      for (const line of population[0]?.text.split("\n") ?? []) expect(html).toContain(line);
      expect(html).toContain('<label id="cfDown" style="display:none;">');
      expect(html.indexOf("<!--sse-->")).toBeLessThan(html.indexOf("<dt>"));
    },
  );

  test.each(cgcPages)("API body of $pageUrl matches the page", async ({ pairs, scans }) => {
    const field = (label: string): string | undefined => pairs.find(([name]) => name === label)?.[1];
    const body = await cgcApi(field("Cert #") ?? "");
    expect(body).toMatchObject({
      certNumber: field("Cert #"),
      grade: { displayGrade: field("Grade") },
      collectible: {
        cardName: field("Card Name") ?? field("Player Name"),
        cardYear: field("Year"),
        setName: field("Card Set"),
        cardNumber: field("Card Number") ?? null,
        game: field("Game") ?? null,
        makerName: field("Manufacturer") ?? null,
        language: field("Language") ?? null,
      },
      images: { frontUrl: `${simulator.origin}/cgc-images${new URL(scans[0]?.url ?? "").pathname}` },
    });
    if (field("Variant 1") === undefined) expect(body).not.toHaveProperty("collectible.variant1");
    else expect(body).toHaveProperty("collectible.variant1", field("Variant 1"));
  });
});

describe("TAG", () => {
  test("API body of C1240631 matches the recording, including its images", async () => {
    const text = await (await tagApi("C1240631")).text();
    expect(
      JSON.parse(text.replaceAll(`${simulator.origin}/tag-images`, "https://d39lwrz0lm7c9r.cloudfront.net")),
    ).toEqual(tagDetail);
  });

  test.each(tagPages)("API body of $cert matches its report", async ({ cert, identity, grade, population }) => {
    const [cardName, brandLine = "", setName, subsetName] = identity;
    expect(await (await tagApi(cert)).json()).toMatchObject({
      data: {
        certificateValue: cert,
        cardName,
        grade: grade.join(" "),
        card: { cardNumber: brandLine.split("#")[1] },
        cardSet: { setYear: Number(brandLine.slice(0, 4)), setName, subsetName },
        pop: { totalByCard: population.total, totalByGrade: population.atGrade },
      },
    });
  });
});

test("sample-certs.csv has every recorded cert, and the invalid rows at its end", async () => {
  const lines = (await readFile(new URL("../sample-certs.csv", import.meta.url), "utf8")).trimEnd().split("\n");
  expect(lines[0]).toBe("CertNumber,GradingCompany,Price,Notes");
  const recorded = [
    ...RECORDED_PSA_NUMBERS.map((certNumber) => `${certNumber} PSA`),
    ...RECORDED_CGC_NUMBERS.map((certNumber) => `${certNumber} CGC`),
    ...RECORDED_TAG_NUMBERS.map((certNumber) => `${certNumber} TAG`),
  ];
  const certs = lines.slice(1, 1 + recorded.length).map((line) => line.split(",").slice(0, 2).join(" "));
  expect(certs.toSorted()).toEqual(recorded.toSorted());
  expect(lines.slice(1 + recorded.length).map((line) => line.split(",").slice(0, 2).join(" "))).toEqual([
    " PSA",
    "82456191 ",
    "0012345678 BGS",
    "1.45531E+08 PSA",
    "ABC-12345 CGC",
    "99999990 PSA",
    "9999999990 CGC",
    "X9999990 TAG",
    "'82456192 PSA",
    "98174651 PSA",
    "82456193 PSA",
  ]);
});
