import express from 'express'
import { toNodeListener } from 'sallyport/node'
import { announce } from './announce.mjs'
import { createSite } from './site.mjs'

const mount = process.argv[2] ?? ''
const host = express()
host.use(mount === '' ? '/' : mount, toNodeListener(createSite(mount)))
const server = host.listen(0, '127.0.0.1', () => announce(server.address().port))
