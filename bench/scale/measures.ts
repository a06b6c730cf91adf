/**
 * What is measured of one group of processes.
 *
 * @module
 */
import { generate } from '../lib/generate.ts'
import type { Backend, StoreWork } from './backends.ts'
import type { Cost } from './figures.ts'
import type { Group, GroupWork } from './group.ts'
import { Member, type Person, Proxy } from './member.ts'
import type { People } from './people.ts'

const BROWSERS = 32
const SIGN_INS_AT_ONCE = 16

/** What is measured, and where its data is. */
export interface Subject {
  readonly backend: Backend
  readonly group: Group
  readonly people: People
  readonly seconds: number
}

/** How many in a second, and what one of them takes. */
export interface Measured {
  readonly perSecond: number
  readonly cost: Cost
  readonly hashMilliseconds: number
  /** How many in a second got a 503, because too many others waited. */
  readonly refusedPerSecond: number
}

/** What was done, and what was refused. */
interface Done {
  readonly done: number
  readonly refused: number
}

/** Pages of an account, for browsers that are signed in. */
export async function measurePages(
  subject: Subject,
): Promise<Measured & { readonly p99Milliseconds: number }> {
  const { group, people, seconds } = subject
  const proxy = new Proxy(group.ports)
  const members = Array.from({ length: BROWSERS }, (_, number) => new Member(proxy, number))
  for (const member of members)
    if (!(await member.signIn(people.next())))
      throw new Error('A sign-in without others beside it was refused')
  const requests = members.map(({ headers }) => ({ path: '/account', headers }))
  await proxy.close()
  const load = { requests, status: 200 }
  const order = { load, ports: group.ports, connections: BROWSERS, mayBeRefused: true }
  // Code that is still being compiled would give other figures.
  await generate({ ...order, seconds: Math.max(1, seconds / 2) })
  let p99Milliseconds = 0
  const measured = await spentOn(subject, async () => {
    const result = await generate({ ...order, seconds })
    p99Milliseconds = result.p99Milliseconds
    return { done: result.answers, refused: 0 }
  })
  return { ...measured, p99Milliseconds }
}

/** Sign-ins of one person after the other, several at a time. */
export async function measureSignIns(subject: Subject): Promise<Measured> {
  const proxy = new Proxy(subject.group.ports)
  await signInFor(subject, proxy, Math.max(1, subject.seconds / 2))
  const measured = await spentOn(subject, () => signInFor(subject, proxy, subject.seconds))
  await proxy.close()
  return measured
}

/**
 * Wrong passwords for one address, all sent at the same time to processes at random.
 *
 * @returns How many of them were told that the password is wrong, and by that one may guess on.
 */
export async function countLetThrough(
  { group }: Subject,
  { email }: Person,
  attempts: number,
): Promise<number> {
  const proxy = new Proxy(group.ports)
  const members = Array.from({ length: attempts }, (_, number) => new Member(proxy, number))
  await Promise.all(members.map((member) => member.open('/login')))
  const answers = await Promise.all(
    members.map((member) => member.submit('/login', { email, password: 'a wrong guess' })),
  )
  await proxy.close()
  return answers.filter(({ status }) => status === 422).length
}

async function signInFor({ people }: Subject, proxy: Proxy, seconds: number): Promise<Done> {
  let [begun, done, refused] = [0, 0, 0]
  const end = performance.now() + 1000 * seconds
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      begun += 1
      if (await new Member(proxy, begun).signIn(people.next())) done += 1
      else refused += 1
    }
  }
  await Promise.all(Array.from({ length: SIGN_INS_AT_ONCE }, work))
  return { done, refused }
}

async function spentOn({ backend, group }: Subject, act: () => Promise<Done>): Promise<Measured> {
  const [before, began] = [await workOf(backend, group), performance.now()]
  const { done, refused } = await act()
  if (done === 0) throw new Error('Nothing was done: the machine is too busy, or the time too short')
  const [after, seconds] = [await workOf(backend, group), (performance.now() - began) / 1000]
  const each = (what: keyof (StoreWork & GroupWork)): number => (after[what] - before[what]) / done
  return {
    perSecond: done / seconds,
    refusedPerSecond: refused / seconds,
    hashMilliseconds: 1000 * each('hashingSeconds'),
    cost: {
      applicationMilliseconds: 1000 * each('otherSeconds'),
      databaseMilliseconds: 1000 * each('databaseSeconds'),
      redisMilliseconds: 1000 * each('redisSeconds'),
      writes: each('writes'),
    },
  }
}

async function workOf(backend: Backend, group: Group): Promise<StoreWork & GroupWork> {
  return { ...(await backend.done()), ...group.done() }
}
