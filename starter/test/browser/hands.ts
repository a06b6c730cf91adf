/** Stories of people at a browser, told by keyboard alone and without script. @module */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PASSWORD, type Person } from '../support.ts'
import { missingBrowser } from './chromium.ts'
import type { DomGlobals } from './dom.ts'
import { Stage } from './stage.ts'
import type { Sight, Visit } from './visit.ts'
import { World } from './world.ts'

const MAX_TABS = 60

/** How a person uses a page. */
export interface Hand {
  readonly visit: Visit
  /** Types into the field of that label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Presses the button, or follows the link, whose name begins so. */
  readonly use: (name: string) => Promise<Sight>
}

/** What a person does, and sees. */
export interface Story {
  /** What it is about. */
  readonly name: string
  /** Tells it. */
  readonly play: (stage: Stage, hand: Hand) => Promise<void>
}

/** The name of the element in focus, and its ring. */
async function focused({ page }: Visit): Promise<{ readonly name: string; readonly ring: string }> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as DomGlobals
    const element = document.activeElement ?? document.body
    const [label] = element.labels ?? []
    const text = element.getAttribute('aria-label') ?? (label ?? element).textContent ?? ''
    const style = getComputedStyle(element)
    return {
      name: text.replace(/\s+/g, ' ').trim(),
      ring: `${style.getPropertyValue('outline-style')} ${style.getPropertyValue('outline-width')}`,
    }
  })
}

// Goes on with Tab, as a person does, and sees at each step where the focus is.
async function reach(visit: Visit, name: string): Promise<void> {
  for (let tabs = 0; tabs <= MAX_TABS; tabs += 1) {
    const { name: here, ring } = await focused(visit)
    if (here.startsWith(name) && ring !== 'none 0px') {
      assert.equal(ring, 'solid 3px', `${name} shows its focus`)
      return
    }
    await visit.page.keyboard.press('Tab')
  }
  assert.fail(`${visit.page.url()}: Tab does not reach "${name}"`)
}

function keyboardOf(visit: Visit): Hand {
  return {
    visit,
    fill: async (label, text) => {
      await reach(visit, label)
      await visit.page.keyboard.press('Control+A')
      await visit.page.keyboard.type(text)
    },
    use: async (name) => {
      await reach(visit, name)
      return visit.press('Enter')
    },
  }
}

function mouseOf(visit: Visit): Hand {
  const { page } = visit
  return {
    visit,
    fill: (label, text) => page.getByLabel(label).first().fill(text),
    use: (name) => {
      const named = { name: new RegExp(`^${name}`) }
      const target = page.getByRole('button', named).or(page.getByRole('link', named))
      return visit.after(() => target.first().click())
    },
  }
}

/**
 * Signs in through both steps.
 *
 * @param stage Where.
 * @param hand Who.
 * @param person The account.
 */
export async function enter(stage: Stage, hand: Hand, person: Person): Promise<void> {
  await hand.visit.open('/login')
  await hand.fill('Email address', person.email)
  await hand.fill('Password', PASSWORD)
  await hand.use('Continue')
  await hand.fill('Six-digit code', await stage.code(person))
  assert.equal((await hand.use('Sign in')).path, '/account')
}

/**
 * @param stage Where.
 * @param hand Who.
 * @returns A signed-in account, whose session proved everything too long ago.
 */
export async function inside(stage: Stage, hand: Hand): Promise<Person> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  await enter(stage, hand, ada)
  stage.world.clock.advance(301)
  return ada
}

/**
 * Confirms an action, at the second try.
 *
 * @param stage Where.
 * @param hand Who.
 * @param person The account.
 * @returns What is seen then.
 */
export async function confirm(stage: Stage, hand: Hand, person: Person): Promise<Sight> {
  await hand.fill('Password', 'wrong')
  await hand.fill('Six-digit code', await stage.world.wrongCode(person))
  const refused = await hand.use('Confirm')
  assert.deepEqual([refused.status, refused.focus], [422, 'password'])
  assert.match(refused.alert, /The password or the code is wrong/)
  await hand.fill('Password', PASSWORD)
  await hand.fill('Six-digit code', await stage.code(person))
  return hand.use('Confirm')
}

/**
 * Tests each story by keyboard alone, and without script.
 *
 * @param stories The stories.
 * @param clauses Clauses that they prove beside those of keyboard and script, such as `RA-1702`. Default: none.
 */
export function testStories(stories: readonly Story[], clauses: readonly string[] = []): void {
  describe('the stories', { skip: missingBrowser ?? false }, () => {
    const world = new World()

    for (const { name, play } of stories) {
      it(`${name}: by keyboard alone, with the focus in sight [${[...clauses, 'RA-3103', 'FLOW-49'].join(' ')}]`, () =>
        Stage.use(world.browser, async (stage) => play(stage, keyboardOf(await stage.open()))))

      it(`${name}: without script [${[...clauses, 'RA-2902', 'RA-3103'].join(' ')}]`, () =>
        Stage.use(world.browser, async (stage) =>
          play(stage, mouseOf(await stage.open({ javaScriptEnabled: false }))),
        ))
    }
  })
}
