import type { ClientRequest, IncomingMessage } from "node:http";

/** The response to a request, before its body. @throws Error if there is none or its status is not 200 */
export async function responseTo(call: ClientRequest): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once("response", resolve);
    call.once("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`${call.path} answered ${response.statusCode}`);
  return response;
}
