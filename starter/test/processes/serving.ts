/**
 * The starter as a process that shares a folder of databases with others: `node serving.ts FOLDER`. It prints where it listens,
 * and hashes cheaply.
 *
 * @module
 */
import { serve } from 'sallyport/node'
import { World } from '../support.ts'

const [, , directory = ''] = process.argv
const world = await World.open({ after: () => undefined }, directory)
const { url } = await serve(world.app, { port: 0, trustedProxies: { addresses: ['127.0.0.1'] } })
process.stdout.write(`${url}\n`)
