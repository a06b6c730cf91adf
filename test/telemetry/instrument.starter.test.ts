import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { INHERITED } from '../../starter/test/conditions.ts'
import { Collector, textOf } from './collector.ts'

const MAIN = fileURLToPath(new URL('../../starter/main.ts', import.meta.url))
const SDK = new URL('sdk.ts', import.meta.url).href
const DASHBOARD = new URL('../../starter/docs/dashboard.json', import.meta.url)
const KEY = `${'ab'.repeat(31)}01`

/** The starter as a process with the SDK, as an operator begins it. */
async function start(t: TestContext, collector: Collector) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-telemetry-'))
  const production = { NODE_ENV: 'production', FACTOR_KEY: KEY, PORT: '0' }
  const env = { ...INHERITED, DATA_DIR: folder, COLLECTOR: collector.url, ...production }
  const child = spawn(process.execPath, ['--conditions=sallyport-source', '--import', SDK, MAIN], { env })
  t.after(async () => {
    const ended = once(child, 'close')
    if (child.kill('SIGTERM')) await ended
    // Not before: the exporter would go on trying.
    collector.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const lines = { out: '', errors: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (lines.errors += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (lines.out += text))
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) {
      assert.equal(child.exitCode, null, lines.errors)
      await pause(50)
    }
  }
  await until(() => /Ctrl/.test(lines.out))
  return { lines, until }
}

describe('the starter, with the SDK of OpenTelemetry', () => {
  it('counts what the audit trail has, and logs the trace of a request [RA-3204]', async (t) => {
    const collector = await Collector.listen()
    const { lines, until } = await start(t, collector)
    const port = /http:\/\/[^:\s]+:(\d+)/.exec(lines.out)?.[1] ?? ''
    const url = `http://127.0.0.1:${port}/login`
    const page = await fetch(url)
    const cookie = page.headers.getSetCookie().map((each) => each.split(';')[0])
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec(await page.text()) ?? []
    const body = new URLSearchParams({ _csrf: token, email: 'nobody@example.com', password: 'a secret word' })

    const refused = await fetch(url, { method: 'POST', body, headers: { cookie: cookie.join('; ') } })

    assert.equal(refused.status, 422, lines.errors)
    const counts = (): readonly string[] =>
      collector.points('app.events').map((each) => textOf(each.attributes))
    await until(() => counts().length > 0 && collector.spans.some(({ name }) => name === 'POST /login'))
    assert.deepEqual(counts(), ['kind=password-refused'])
    const span = collector.spans.find(({ name }) => name === 'POST /login')
    const logged = (lines.out + lines.errors).split('\n').filter((line) => line.includes('password-refused'))
    assert.equal(logged.length, 1)
    assert.match(logged[0] ?? '', new RegExp(`"traceId":"${span?.traceId}"`))
    assert.doesNotMatch(collector.bodies.join('\n'), /nobody@|a secret word/)
  })
})

describe('the dashboard', () => {
  it('asks for metrics that there are, as Prometheus names them [RA-3204]', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
      readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
    }
    const asked = panels.flatMap(({ targets }) =>
      targets.flatMap(
        ({ expr }) => expr.replaceAll(/by \([^)]*\)/g, '').match(/\b[a-z]+_\w+(?=[[{)])/g) ?? [],
      ),
    )
    assert.deepEqual([...new Set(asked)].toSorted(), [
      'app_events_total',
      'http_server_request_duration_seconds_bucket',
      'http_server_request_duration_seconds_count',
      'sallyport_password_hashes',
      'sallyport_security_events_total',
    ])
  })
})
