/**
 * An origin with https says how the site is reached, not how this request came: a proxy may forward its plain port, too. Whether
 * the header can be trusted does not matter, because it can only refuse. The first proxy names what the browser used.
 *
 * @returns Whether a proxy says that the client sent it over plain HTTP.
 */
export function isForwardedPlain(request: { header(name: string): string | null }): boolean {
  const protocol = request.header('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  return protocol === 'http' || /^[^,]*\bproto="?http"?(?:[\s;,]|$)/i.test(request.header('forwarded') ?? '')
}
