/** A starter inside the test, with a clock of its own, and browser windows on it: for states that take days to come. @module */
import assert from 'node:assert/strict'
import { Closing } from 'sallyport-app/testing'
import type { WindowOptions } from 'sallyport-app/testing/browser'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { PASSWORD, type Person, World, type WorldOptions } from '../support.ts'
import { Visit } from './visit.ts'

const STEP_SECONDS = 30

/** What looks at the page that is open. */
export type LookAt = (visit: Visit, name: string) => Promise<void>

/** Some pages of the starter, one after the other, in the states that they can be in. */
export interface Scene {
  /** What they are about. */
  readonly name: string
  /** The routes that are seen, as the application lists them. */
  readonly shows: readonly string[]
  /** What is special about the starter. Default: nothing. */
  readonly options?: WorldOptions
  /** Plays it. */
  readonly play: (stage: Stage) => Promise<void>
}

/** How a scene is played. */
export interface StageOptions {
  /** The browser. */
  readonly browser: Browser
  /** The scene. */
  readonly scene: Scene
  /** What looks at each page. */
  readonly look: LookAt
  /** What the windows are like. Default: as Chromium begins. */
  readonly window?: BrowserContextOptions
}

/** Where a scene is played. */
export class Stage {
  /** The starter: its clock stands still until it is moved. */
  readonly world: World
  /** Looks at the page that is open. */
  readonly look: LookAt
  readonly #open: (options: Partial<WindowOptions>) => Promise<Visit>

  private constructor(
    parts: Pick<Stage, 'world' | 'look'>,
    open: (options: Partial<WindowOptions>) => Promise<Visit>,
  ) {
    this.world = parts.world
    this.look = parts.look
    this.#open = open
  }

  /** Plays a scene and closes everything. */
  static async play({ browser, scene, look, window = {} }: StageOptions): Promise<void> {
    // The windows first: what they still load would be refused once the starter has ended.
    const [windows, others] = [new Closing(), new Closing()]
    let url = ''
    try {
      const world = await World.create(others, { ...scene.options, origin: () => url })
      url = (await world.listen(others)).replace('127.0.0.1', 'localhost')
      const open = (options: Partial<WindowOptions>): Promise<Visit> =>
        Visit.begin(windows, browser, { url, ...window, ...options })
      await scene.play(new Stage({ world, look }, open))
      assert.deepEqual(world.faults, [], `${scene.name}: unexpected errors`)
    } finally {
      await windows.close()
      await others.close()
    }
  }

  /** Lets a test do something on a stage of its own, and closes everything. */
  static use(browser: Browser, play: Scene['play'], options: WorldOptions = {}): Promise<void> {
    const look = (): Promise<void> => Promise.resolve()
    return Stage.play({ browser, scene: { name: 'a test', shows: [], options, play }, look })
  }

  /** @returns A window without cookies. */
  open(options: Partial<WindowOptions> = {}): Promise<Visit> {
    return this.#open(options)
  }

  /** Opens a page and looks at it. */
  async show(visit: Visit, path: string, name: string): Promise<void> {
    await visit.open(path)
    await this.look(visit, name)
  }

  /** Presses a button and looks at the page that follows. */
  async press(visit: Visit, button: string, name: string): Promise<void> {
    await visit.click('button', button)
    await this.look(visit, name)
  }

  /**
   * @param visit A window.
   * @param person Whose password to enter on the login page.
   */
  async enterPassword(visit: Visit, { email }: Person): Promise<void> {
    await visit.open('/login')
    await visit.enterPassword({ email })
  }

  /** @returns A code that was not used: the clock goes on by a step first. */
  code(person: Person): Promise<string> {
    this.world.clock.advance(STEP_SECONDS)
    return this.world.code(person)
  }

  /**
   * @param visit A window without a signed-in user.
   * @param person Who signs in, through as many doors as there are.
   */
  async signIn(visit: Visit, person: Person): Promise<void> {
    await this.enterPassword(visit, person)
    if (person.secret !== undefined) await visit.enterCode(await this.code(person))
    assert.equal((await visit.sight()).path, '/account')
  }

  /** @returns One that proved everything just now is sent to the page of an action at once; this one proves it again. */
  async confirm(visit: Visit, person: Person): Promise<void> {
    const { page } = visit
    if (new URL(page.url()).pathname !== '/account/confirm') return
    const password = page.locator('input[name=password]')
    if (await password.isVisible()) await password.fill(PASSWORD)
    const code = page.locator('input[name=code]')
    if (await code.isVisible()) await code.fill(await this.code(person))
    await visit.click('button', 'Confirm')
  }

  /** @returns Path of the newest link of this kind in a mail. */
  link(kind: string): string {
    const texts = this.world.mailbox.list().map(({ text }) => text)
    const pattern = new RegExp(`http://localhost:\\d+(${kind}[\\w-]{43})`)
    const found = texts.map((text) => pattern.exec(text)?.[1]).find((link) => link !== undefined)
    assert.ok(found !== undefined, `a mail has a link to ${kind}:\n${texts.join('\n')}`)
    return found
  }
}
