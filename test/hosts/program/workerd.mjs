import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { announce } from './announce.mjs'

const { outputFiles } = await build({
  entryPoints: ['worker.mjs'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'es2024',
  conditions: ['workerd'],
})
const host = new Miniflare({
  host: '127.0.0.1',
  port: 0,
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }],
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
  bindings: { MOUNT: process.argv[2] ?? '' },
})
process.once('SIGTERM', () => host.dispose())
announce((await host.ready).port)
