import { signInAnswerSchema, type Role } from "@slabdesk/contract/api/people.ts";
import { scanSessionSchema, type NewScanSession, type ScanSession } from "@slabdesk/contract/api/sessions.ts";

export type Account = { email: string; password: string };

/** A user who is signed in at one node. */
export class Visitor {
  readonly origin: string;
  readonly headers: Record<string, string>;

  private constructor(origin: string, token: string) {
    this.origin = origin;
    this.headers = { authorization: `Bearer ${token}` };
  }

  static async signIn(origin: string, account: Account): Promise<Visitor> {
    const response = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account),
    });
    if (!response.ok) throw new Error(`${account.email} was refused: ${await response.text()}`);
    return new Visitor(origin, signInAnswerSchema.parse(await response.json()).token);
  }

  /** Adds someone, by default an administrator, who may see every session, and signs in as them. */
  async hire(name: string, role: Role = "admin"): Promise<Visitor> {
    const account = { email: `${name}@example.com`, password: "measured-on-purpose" };
    await this.ask("POST", "/api/admin/users", { ...account, fullName: name, role });
    return Visitor.signIn(this.origin, account);
  }

  async upload(sheet: NewScanSession): Promise<ScanSession> {
    return scanSessionSchema.parse(await this.ask("POST", "/api/scan-sessions", sheet));
  }

  /** The response's JSON. @throws Error if the server refuses */
  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: body === undefined ? this.headers : { ...this.headers, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}
