import { expect, test } from "vitest";
import { openDatabase, openPool } from "./connection.ts";
import { createTestDatabase } from "./testing/test-database.ts";

/** The specification's section 3, by table; further columns are allowed. */
const FIELDS = {
  user_profiles: "id email full_name role is_active total_scans total_cards_processed last_login created_at updated_at",
  scan_sessions:
    "id user_id session_name csv_filename total_cards processed_cards processing_mode status started_at completed_at upload_date",
  scan_results:
    "id session_id user_id cert_number grading_company item_name player_character year brand_set card_number grade sport_game variety front_image_url back_image_url cert_url price notes processing_error created_at",
  user_activity_logs: "user_id activity_type description metadata timestamp",
};

test("the tables have the specified fields", async () => {
  const database = await createTestDatabase();
  const db = openDatabase(
    openPool(database.settings, (error) => {
      throw error;
    }),
  );
  try {
    const tables = await db.introspection.getTables();
    for (const [name, fields] of Object.entries(FIELDS)) {
      const columns = tables.find((table) => table.name === name)?.columns.map((column) => column.name);
      expect(columns, name).toEqual(expect.arrayContaining(fields.split(" ")));
    }
    const certNumber = tables
      .find((table) => table.name === "scan_results")
      ?.columns.find((column) => column.name === "cert_number");
    expect(certNumber?.dataType).toBe("text");
  } finally {
    await db.destroy();
    await database.drop();
  }
});
