import { headers } from 'next/headers'
import { toWho } from 'sallyport'
import { ResolveUser } from '../../../site.mjs'
import { app } from '../../app.mjs'

/** A page of the host, which its proxy guards. It knows nothing of the request but what components know, too. */
export async function GET() {
  const origin = process.env.ORIGIN
  const who = toWho(app, { through: [ResolveUser], origin })
  const { auth } = await who(new Request(origin, { headers: await headers() }))
  return new Response(`The page of the host for ${auth.principal().name}`)
}
