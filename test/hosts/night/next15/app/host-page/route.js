/** A page of the host, which its proxy guards. */
export function GET() {
  return new Response('The page of the host')
}
