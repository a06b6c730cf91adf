import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { serve } from 'sallyport/node'

import { site } from '../app/fixture.ts'

const execute = promisify(execFile)

// A socket of Node is gone when sending fails, and with it what came in. One of Python can still be read.
const PYTHON = 'python3'
const CLIENT = `
import http.client, sys, time
port, size, late, chunked = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == 'chunked'
client = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
client.putrequest('POST', '/text')
client.putheader('transfer-encoding', 'chunked') if chunked else client.putheader('content-length', str(size))
client.endheaders()
piece = b'10000\\r\\n' + b'x' * 65536 + b'\\r\\n' if chunked else b'x' * 65536
try:
    for _ in range(size // 65536): client.send(piece)
except OSError: pass
time.sleep(late)
print(client.getresponse().status)
`
const hasPython = spawnSync(PYTHON, ['--version']).status === 0

describe('a client that reads only when it cannot send any more', () => {
  for (const [size, late, framing] of [
    [2 ** 21, 0, 'announced'],
    [2 ** 21, 2, 'announced'],
    [2 ** 26, 2, 'announced'],
    [2 ** 26, 2, 'chunked'],
  ] as const) {
    it(
      `sees the 413 of a body of ${size} bytes, ${framing}, ${late} seconds later [R-35]`,
      { skip: hasPython ? false : 'needs python3' },
      async (t) => {
        const app = site(
          { 'POST /text': async (context) => (await context.request().text()).length.toString() },
          { configure: (each) => each.limits({ bodyBytes: 2 ** 20 }) },
        )
        const server = await serve(app, { port: 0, signals: [] })
        t.after(() => server.close())

        const { stdout } = await execute(PYTHON, [
          '-c',
          CLIENT,
          ...[server.port, size, late, framing].map(String),
        ])

        assert.equal(stdout.trim(), '413')
      },
    )
  }
})
