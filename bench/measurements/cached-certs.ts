import type { BenchDatabase } from "../stage/postgres.ts";

/** Caches every certificate of a session, as if it had been looked up. */
export async function cacheCerts(database: BenchDatabase, sessionId: string): Promise<void> {
  await database.query(
    `INSERT INTO cached_certs (grading_company, cert_number, source, card, notes)
     SELECT grading_company, cert_number, 'api', jsonb_build_object(
       'certNumber', cert_number, 'gradingCompany', grading_company, 'itemName', '2019 TOPPS CHROME #' || line || ' SOMEBODY WELL KNOWN',
       'player', 'SOMEBODY WELL KNOWN', 'year', '2019', 'language', 'English', 'brand', 'TOPPS CHROME', 'cardNumber', line::text,
       'grade', '10', 'sport', 'BASEBALL CARDS', 'variety', 'REFRACTOR', 'graderNotes', 'N/A',
       'imageUrl', 'https://images.example.com/cert/' || cert_number || '/front.jpg',
       'imageUrlBack', 'https://images.example.com/cert/' || cert_number || '/back.jpg',
       'certUrl', 'https://www.example.com/cert/' || cert_number || '/psa',
       'inventoryName', '2019 TOPPS CHROME SOMEBODY WELL KNOWN REFRACTOR PSA 10'), ''
     FROM scan_results WHERE session_id = $1`,
    [sessionId],
  );
}
