import type { Endpoint, UpstreamAnswer } from "../../upstreams/endpoint.ts";
import { IMAGE_TYPE, NO_SUCH_OBJECT } from "../../upstreams/image-endpoint.ts";
import type { ClientParts, Found, LookUp, NotFound, Outcome } from "../grader.ts";
import { blocked, isBotWall, noAnswer, noSuchCert, pageRefusal, unavailable } from "../upstream-answers.ts";
import { NO_FACTS, mapTagCard } from "./map.ts";

const TAG_PAGE = { company: "TAG", part: "page" } as const;

/** Whether a slab photo exists. `unknown`: its host gave no usable answer. */
type Photo = { state: "there"; url: string } | { state: "absent" } | { state: "unknown"; answer: UpstreamAnswer };

/** Checks that TAG's page opens, and looks for the slab photos: it shows no details without a browser. Three calls. */
export function createTagPage(parts: ClientParts<"TAG_WEB_URL" | "TAG_IMAGE_URL"> & { images: Endpoint }): LookUp {
  const { endpoint, images, settings, now } = parts;
  const findPhoto = async (certNumber: string, side: "FRONT" | "BACK"): Promise<Photo> => {
    const url = `${settings.TAG_IMAGE_URL}/slab-images/${encodeURIComponent(certNumber)}_Slabbed_${side}.jpg`;
    const answer = await images({ url, method: "HEAD" });
    const isRefused = answer.kind === "answered" && HEAD_REFUSED.has(answer.status);
    return readPhoto(url, isRefused ? await images({ url }) : answer);
  };

  return async (certNumber) => {
    const answer = await endpoint({ url: `${settings.TAG_WEB_URL}/card/${encodeURIComponent(certNumber)}` });
    if (answer.kind !== "answered") return noAnswer(TAG_PAGE, answer);
    const { status } = answer;
    if (status === 429 || isBotWall(answer)) return blocked(TAG_PAGE, answer);
    if (status !== 200 && status !== 404) return pageRefusal(TAG_PAGE, certNumber, answer, now());
    const [front, back] = await Promise.all([findPhoto(certNumber, "FRONT"), findPhoto(certNumber, "BACK")]);
    return status === 200 ? found(certNumber, front, back) : judge404(certNumber, front, back);
  };
}

const HEAD_REFUSED = new Set([405, 501]);

function readPhoto(url: string, answer: UpstreamAnswer): Photo {
  if (answer.kind === "too_large") return { state: "there", url };
  if (answer.kind !== "answered") return { state: "unknown", answer };
  const isImage = IMAGE_TYPE.test(answer.headers["content-type"] ?? "image/jpeg");
  if (answer.status === 200 && isImage) return { state: "there", url };
  const isAbsent = answer.status === 200 || NO_SUCH_OBJECT.has(answer.status);
  return isAbsent && !isBotWall(answer) ? { state: "absent" } : { state: "unknown", answer };
}

/** TAG's site sometimes shows its 404 page for valid certificates. A photo proves that the card exists. */
function judge404(certNumber: string, front: Photo, back: Photo): Outcome {
  if (front.state === "there" || back.state === "there") return found(certNumber, front, back);
  for (const photo of [front, back]) if (photo.state === "unknown") return undecided(photo.answer);
  return noSuchCert("TAG", certNumber);
}

function undecided(answer: UpstreamAnswer): NotFound {
  if (answer.kind !== "answered") return noAnswer(TAG_PAGE, answer);
  return unavailable(`TAG's page shows no card, and its slab photos could not be checked (${answer.status})`, answer);
}

function found(certNumber: string, front: Photo, back: Photo): Found {
  const card = mapTagCard(certNumber, NO_FACTS, { front: urlOf(front), back: urlOf(back) });
  return { code: "found", source: "page", card, notes: `${ONLY_LINK} ${notesOn(front, back)}`, complete: false };
}

const urlOf = (photo: Photo): string | null => (photo.state === "there" ? photo.url : null);

const ONLY_LINK = "TAG's page shows its details only in a browser. Open the certificate link and fill them in.";

function notesOn(front: Photo, back: Photo): string {
  if (front.state === "unknown" || back.state === "unknown") return "The slab photos could not be checked.";
  if (front.state === "there" && back.state === "there") return "The slab photos were found.";
  if (front.state === "there") return "Only the front photo of the slab was found.";
  if (back.state === "there") return "Only the back photo of the slab was found.";
  return "There are no slab photos. Check the number.";
}
