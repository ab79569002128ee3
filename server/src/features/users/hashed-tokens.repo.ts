import { createHash } from "node:crypto";
import { kyselyAdapter } from "@better-auth/kysely-adapter";
import type { BetterAuthOptions, DBAdapter, DBTransactionAdapter, Where } from "better-auth";
import { z } from "zod";
import type { Database } from "../../database/connection.ts";

/* better-auth works with session tokens. The database stores only hashes, so a copy of it can't be used to sign in. */

type Stored = { model: string; where: Where[] };
type Input<Name extends "findOne" | "update" | "consumeOne"> = Parameters<DBTransactionAdapter[Name]>[0];

const sessionSchema = z.object({ token: z.string() });

/** Tokens are 32 random characters, so a fast hash without salt is enough. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

export const hashingAdapter =
  (db: Database) =>
  (options: BetterAuthOptions): DBAdapter => {
    const adapter = kyselyAdapter(db, { type: "postgres", transaction: true })(options);
    return { ...hashing(adapter), transaction: (work) => adapter.transaction((trx) => work(hashing(trx))) };
  };

function hashing(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create<T extends Record<string, unknown>, R = T>(input: {
      model: string;
      data: Omit<T, "id">;
      select?: string[] | undefined;
      forceAllowId?: boolean | undefined;
    }): Promise<R> {
      if (input.model !== "session") return adapter.create<T, R>(input);
      const { token } = sessionSchema.parse(input.data);
      const created = await adapter.create<T, R>({ ...input, data: { ...input.data, token: hashToken(token) } });
      return { ...created, token };
    },
    findOne: async <T>(query: Input<"findOne">) => withToken(query, await adapter.findOne<T>(hashed(query))),
    findMany: (query) =>
      adapter.findMany(query.where ? { ...query, ...hashed({ ...query, where: query.where }) } : query),
    update: async <T>(query: Input<"update">) => withToken(query, await adapter.update<T>(hashed(query))),
    updateMany: (query) => adapter.updateMany(hashed(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
    consumeOne: async <T>(query: Input<"consumeOne">) => withToken(query, await adapter.consumeOne<T>(hashed(query))),
  };
}

function hashed<Query extends Stored>(query: Query): Query {
  if (query.model !== "session") return query;
  const where = query.where.map((part) => {
    if (part.field !== "token") return part;
    if (typeof part.value !== "string") throw new TypeError("A session is looked up by one token at a time");
    return { ...part, value: hashToken(part.value) };
  });
  return { ...query, where };
}

/** Puts the token back into a session that was found by it. */
function withToken<T>(query: Stored, found: T | null): T | null {
  const token = query.model === "session" && query.where.find(({ field }) => field === "token")?.value;
  return found && typeof token === "string" ? { ...found, token } : found;
}
