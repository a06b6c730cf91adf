import { NextResponse } from 'next/server'
import { toWho } from 'sallyport'
import { ResolveUser } from '../site.mjs'
import { app } from './app.mjs'

/** Lets signed-in users see the pages of Next.js. */
export async function middleware(request) {
  // Known only when the server listens.
  const origin = process.env.ORIGIN
  const who = toWho(app, { through: [ResolveUser], origin })
  const { identifier } = await who(request)
  return identifier === null ? NextResponse.redirect(new URL('/sign-in', origin), 303) : NextResponse.next()
}

// The sessions of the other runtime of Next.js, `edge`, would be others.
export const config = { matcher: ['/host-page'], runtime: 'nodejs' }
