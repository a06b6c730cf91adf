import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Start, startProject } from './started-project.ts'
import { copyStarter } from './starter-copy.ts'

const AGAIN_MILLISECONDS = 10_000

const PART = `import { EventEmitter, on } from 'node:events'
import { Controller, defineModule, eventStream, type ModuleDefinition } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { Part } from '../../core/part.ts'

class TickController extends Controller {
  static readonly actions = { index: [], fail: [] } satisfies Actions<TickController>

  index() {
    const { signal } = this.context
    return eventStream(this.context, async function* () {
      yield { data: 'one' }
      for await (const _ of on(new EventEmitter(), 'never', { signal })) yield { data: 'two' }
    })
  }

  fail(): string {
    throw new Error('broken on purpose')
  }
}

const module: ModuleDefinition = defineModule('Ticks', (declared) =>
  declared
    .withoutConventionRouting()
    .controllers(TickController)
    .claim('/ticks', (routes) => {
      routes.get('/', [TickController, 'index'])
      routes.get('/fail', [TickController, 'fail'])
    }),
)

/** A stream of events, and an action that fails. */
export const ticks: Part = { name: 'ticks', modules: () => [module] }
`

/** A copy with a part that has a stream of events, and an action that fails. */
function withTicks(): string {
  const copy = copyStarter(['--preset', 'standard'])
  mkdirSync(join(copy, 'parts/ticks'))
  writeFileSync(join(copy, 'parts/ticks/part.ts'), PART)
  const list = readFileSync(join(copy, 'parts.ts'), 'utf8')
  const named = `import { ticks } from './parts/ticks/part.ts'\n${list.replace(/,\n\]/, ',\n  ticks,\n]')}`
  writeFileSync(join(copy, 'parts.ts'), named)
  return copy
}

async function started(t: TestContext, copy: string, start: Omit<Start, 'last'>): Promise<string> {
  const { banner, url } = await startProject(t, copy, { ...start, last: 'Ctrl+C' })
  return /Listening on: (\S+)/.exec(banner)?.[1] ?? url
}

async function page(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  return response.text()
}

describe('a copy of the starter in development', () => {
  let copy = ''

  before(() => {
    copy = withTicks()
  })

  it('shows a saved file, while streams of events are open [RA-3305]', async (t) => {
    // A restart must find the same port, so the test takes one that was free.
    const port = String(20_000 + (process.pid % 20_000))
    const url = await started(t, copy, { script: 'dev', env: { PORT: port } })
    const streams = await Promise.all([fetch(`${url}/ticks`), fetch(`${url}/ticks`)])
    const readers = streams.map((stream) => stream.body?.getReader())
    for (const reader of readers) await reader?.read()

    const file = join(copy, 'core/brand.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/name: '.*'/, "name: 'Harbor'"))

    // A busy machine may begin to watch the file after it was saved for the first time.
    const again = setInterval(() => writeFileSync(file, readFileSync(file)), AGAIN_MILLISECONDS)
    t.after(() => clearInterval(again))
    while (!(await page(`${url}/login`).catch(() => '')).includes('Harbor')) await pause(50)
    clearInterval(again)
    for (const reader of readers) await reader?.cancel().catch(() => undefined)
  })

  it('shows an error with its place in the source, and how a path was resolved [RA-3305]', async (t) => {
    const url = await started(t, copy, { script: 'dev' })

    assert.match(
      await page(`${url}/ticks/fail`),
      /broken on purpose\n +at TickController\.fail \(.*ticks\/part\.ts:18:/,
    )
    assert.match(await page(`${url}/tickz`), /GET \/tickz\n[^]*ends where the URL goes on with/)
  })

  for (const [mode, env] of Object.entries({
    'with "npm start"': {},
    'in production': {
      NODE_ENV: 'production',
      FACTOR_KEY: randomBytes(32).toString('hex'),
      DATA_DIR: 'production',
    },
  }))
    it(`shows none of it ${mode} [RA-3305]`, async (t) => {
      const url = await started(t, copy, { env })

      for (const path of ['/ticks/fail', '/tickz']) {
        const text = await page(url + path)
        assert.match(text, /<h1>/)
        assert.doesNotMatch(text, /broken on purpose|part\.ts|goes on with|<pre/)
      }
    })
})
