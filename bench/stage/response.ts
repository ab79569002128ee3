import type { ClientRequest, IncomingMessage } from "node:http";

/** The answer to a call, its body still to come. @throws Error when there is none, or no good one */
export async function responseTo(call: ClientRequest): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve);
    call.once("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${call.path} answered ${response.statusCode}`);
  return response;
}
