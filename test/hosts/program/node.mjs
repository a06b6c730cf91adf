import { serve } from 'sallyport/node'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const { port } = await serve(createSite(process.argv[2] ?? ''), { port: 0 })
announce(port)
