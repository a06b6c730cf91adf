import { createSite } from '../../../site.mjs'

const app = createSite(process.env.MOUNT ?? '')

export const prerender = false

/** Answers every method. */
export const ALL = ({ request, clientAddress }) =>
  app.fetch(request, { clientAddress, origin: process.env.ORIGIN })
