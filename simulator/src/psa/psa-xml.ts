import { escapeText } from "../endpoints/html.ts";
import type { PsaCert } from "./psa-card.ts";

const NAMESPACES =
  'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns="http://schemas.datacontract.org/2004/07/PSA.Public.WebAPI.Models"';
const STRINGS = 'xmlns:d3p1="http://schemas.microsoft.com/2003/10/Serialization/Arrays"';

/** PSA's API uses ASP.NET. A client that accepts XML but not JSON, such as a browser, gets the record as XML. */
export function certXml(cert: PsaCert): string {
  const fields = Object.entries(cert)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) =>
      Array.isArray(value) ? listXml(name, value) : `<${name}>${escapeText(String(value))}</${name}>`,
    );
  return `<PublicCertificationModel ${NAMESPACES}><PSACert>${fields.join("")}</PSACert></PublicCertificationModel>`;
}

/** The image addresses as XML. */
export function imagesXml(images: readonly { IsFrontImage: boolean; ImageURL: string }[]): string {
  const items = images.map(
    (image) =>
      `<PublicPSACertImage><ImageURL>${escapeText(image.ImageURL)}</ImageURL><IsFrontImage>${String(image.IsFrontImage)}</IsFrontImage></PublicPSACertImage>`,
  );
  return `<ArrayOfPublicPSACertImage ${NAMESPACES}>${items.join("")}</ArrayOfPublicPSACertImage>`;
}

function listXml(name: string, values: readonly string[]): string {
  const items = values.map((value) => `<d3p1:string>${escapeText(value)}</d3p1:string>`);
  return `<${name} ${STRINGS}>${items.join("")}</${name}>`;
}
