import { MemorySessionStore } from 'sallyport/session'
import { createSite } from '../site.mjs'

// Next.js loads this file twice, for the proxy and for the routes. Both have to see the same sessions.
globalThis.sessions ??= new MemorySessionStore()

/** The application. */
export const app = createSite(process.env.MOUNT ?? '', globalThis.sessions)
