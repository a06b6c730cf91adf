import type { SessionRecord, SessionStore } from 'sallyport/session'
import type { Bindings, Model, ModelRecord } from './model.ts'
import type { Witness } from './witness.ts'

/**
 * Compares the records that the last requests touched with what a store holds.
 *
 * @param model What should be there.
 * @param store What is there.
 * @param witness Sees every record. Default: nobody.
 * @returns The first difference; null when there is none.
 */
export async function differenceOf(
  model: Model,
  store: SessionStore,
  witness?: Witness,
): Promise<string | null> {
  const looks = [...model.touched].map(async (id) => {
    const digest = model.bindings.digests.get(id)
    if (digest === undefined) return `the model has an identifier ${id} that the store has not`
    const record = await store.read(digest)
    // What a clock that was set hides is nothing that the identifier began with.
    if (record !== null || !model.records.has(id)) witness?.seeRecord(digest, record)
    if (record !== null) {
      model.noteKept(id)
      model.settleTimes(id, record)
    }
    const isGone = record === null && model.find(id) !== undefined && model.forgetSwept(id)
    const expected = isGone ? undefined : model.find(id)
    bindSecret(model.bindings, { expected, record })
    const [wanted, got] = [describeModel(model, expected), describeRecord(record, model.bindings)]
    return wanted === got ? null : `identifier ${id}: expected ${wanted}, the store holds ${got}`
  })
  return (await Promise.all(looks)).find((difference) => difference !== null) ?? null
}

function describeModel(model: Model, record: ModelRecord | undefined): string {
  if (record === undefined) return 'nothing'
  const { entries, createdAt, expiresAt, successor } = record
  if (successor !== undefined)
    return `ended, ${successor === null ? 'destroyed' : `now ${model.bindings.digests.get(successor)}`} until ${expiresAt}`
  return `${entriesText([...entries])} from ${createdAt} until ${expiresAt}`
}

function describeRecord(record: SessionRecord | null, { secrets }: Bindings): string {
  if (record === null) return 'nothing'
  const { data, createdAt, expiresAt, ended, successor } = record
  if (ended) return `ended, ${successor === null ? 'destroyed' : `now ${successor}`} until ${expiresAt}`
  // What describes the session for its account follows from the identity; test/auth/account-sessions proves it.
  const own = [...data].filter(([key]) => key !== '_account')
  const entries = own.map(([key, text]): [string, unknown] => {
    const value: unknown = JSON.parse(text)
    return [key, key === '_csrf' ? numberOf(secrets, String(value)) : value]
  })
  return `${entriesText(entries)} from ${createdAt} until ${expiresAt}`
}

// The first time that a secret stands in the store, its text is the one of the model's number.
function bindSecret(
  { secrets }: Bindings,
  { expected, record }: { expected: ModelRecord | undefined; record: SessionRecord | null },
): void {
  const number = expected?.entries.get('_csrf')
  const text = record?.data.get('_csrf')
  if (typeof number !== 'number' || text === undefined || secrets.has(number)) return
  const value = String(JSON.parse(text))
  if (![...secrets.values()].includes(value)) secrets.set(number, value)
}

function numberOf(secrets: ReadonlyMap<number, string>, text: string): number | string {
  for (const [number, known] of secrets) if (known === text) return number
  return 'a secret that nobody made'
}

function entriesText(entries: [string, unknown][]): string {
  return JSON.stringify(entries.map(withoutRandom).sort(([a], [b]) => (a < b ? -1 : 1)))
}

// A message has a number and, in the store, a random part; the model has a number of its own for it.
function withoutRandom([key, value]: [string, unknown]): [string, unknown] {
  return [key.replace(/^(_flash\.[^.]*)\..*$/, '$1'), value]
}
