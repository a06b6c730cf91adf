import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { AuditTrail, type ExportFormat, OwnEvents } from 'sallyport-app/audit'
import { services, type Services } from '../services.ts'

interface Trail extends Services {
  readonly events: OwnEvents
  readonly record: (more?: { readonly detail?: string; readonly actor?: string }) => Promise<void>
}

async function begin(test: TestContext): Promise<Trail> {
  const world = await services(test)
  const audit = world.app.get(AuditTrail<string>)
  const at = { kind: 'logged-out', accountId: 'ada', clientAddress: '=cmd', device: 'Opera/macOS' }
  const record: Trail['record'] = async (more = {}) => {
    // Alike ones are recorded twenty times an hour.
    world.clock.advance(200)
    await audit.record({ ...at, ...more })
  }
  return { ...world, events: world.app.get(OwnEvents), record }
}

function textOf({ events }: Trail, format: ExportFormat): Promise<string> {
  return events.file('ada', { format, name: 'trail', describe: (kind) => `said: ${kind}` }).text()
}

describe('OwnEvents', () => {
  it('has pages, the newest entry first, and says where the next one begins [RA-2001]', async (test) => {
    const trail = await begin(test)
    for (let count = 0; count < 5; count += 1) await trail.record()

    const first = await trail.events.page('ada', { limit: 3 })
    await trail.record()
    const second = await trail.events.page('ada', { limit: 3, before: first.next })

    assert.deepEqual(
      [first, second].flatMap(({ events }) => events.map(({ id }) => id)),
      [5, 4, 3, 2, 1],
    )
    assert.deepEqual([first.next, second.next], [3, undefined])
    assert.deepEqual(await trail.events.page('bob', { limit: 3 }), { events: [], next: undefined })
  })

  it('does not say where administrators sit, and with what [RA-2001]', async (test) => {
    const trail = await begin(test)
    await trail.record({ actor: 'root' })

    const [event] = (await trail.events.page('ada', { limit: 1 })).events

    assert.deepEqual([event?.clientAddress, event?.device, event?.byAdministration], ['', '', true])
    assert.doesNotMatch((await textOf(trail, 'csv')) + (await textOf(trail, 'json')), /cmd|Opera/)
  })

  it('writes more than one batch into a file, and nothing as an empty list [RA-2001]', async (test) => {
    const trail = await begin(test)
    assert.equal(await textOf(trail, 'json'), '[]\n')
    for (let count = 0; count < 1001; count += 1) await trail.record()

    const entries = JSON.parse(await textOf(trail, 'json')) as readonly { readonly description: string }[]
    const lines = (await textOf(trail, 'csv')).trimEnd().split('\r\n')

    assert.deepEqual([entries.length, entries[0]?.description], [1001, 'said: logged-out'])
    assert.equal(lines.length, 1002)
  })

  it('writes nothing into a file that a table would calculate [RA-2001]', async (test) => {
    const trail = await begin(test)
    for (const detail of ['=HYPERLINK("https://evil.test")', '+1', '-1', '@SUM(A1)', '\t=1', 'a"b,c'])
      await trail.record({ detail })

    const csv = await textOf(trail, 'csv')

    assert.doesNotMatch(csv, /(^|,)"[=+\-@\t]/m)
    assert.ok(csv.includes(`"'=HYPERLINK(""https://evil.test"")"`))
    assert.ok(csv.includes('"a""b,c"'))
  })
})
