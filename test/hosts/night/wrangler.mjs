import { readFileSync } from 'node:fs'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { announce } from './announce.mjs'

const options = {
  host: '127.0.0.1',
  port: 0,
  // Nothing is asked for where this machine is.
  cf: false,
  // What wrangler has made of worker.mjs.
  modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync('out/worker.js', 'utf8') }],
  compatibilityDate: '2026-11-01',
  compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
  bindings: { MOUNT: process.argv[2] ?? '' },
}
const host = new Miniflare(convertV4MiniflareOptions(options))
process.once('SIGTERM', () => host.dispose())
announce((await host.ready).port)
