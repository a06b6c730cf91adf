import { app } from '../../app.mjs'

// Next.js gives its own address in the URL, and not that of the client.
const answer = (request) => app.fetch(request, { origin: process.env.ORIGIN })

export { answer as DELETE, answer as GET, answer as HEAD, answer as PATCH, answer as POST, answer as PUT }
