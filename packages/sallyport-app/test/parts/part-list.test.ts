import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { App, type HttpContext, inject } from 'sallyport'
import { type AnyPart, PageSlots, PartList, type SlotPart } from 'sallyport-app/parts'

interface Greeter {
  greet(): string
}

interface Part extends AnyPart, SlotPart<'menu' | 'foot', string> {
  readonly greeter?: new () => Greeter
}

class Hello implements Greeter {
  greet(): string {
    return 'Hello'
  }
}

class Name {
  async dataFor(slot: string, _context: HttpContext, owner?: string) {
    return owner === undefined ? undefined : { [slot]: owner }
  }
}

const notes: Part = { name: 'notes', greeter: Hello, slots: { menu: ['notes::line'] } }
const owners: Part = { name: 'owners', needs: [notes], slots: { menu: ['owners::me'] }, slotData: Name }
const views: Part = { name: 'views', views: new URL('file:///views/') }

class Parts extends PartList<Part> {}

class Menu extends PageSlots<'menu' | 'foot', string> {
  constructor() {
    super(['menu', 'foot'], inject(Parts))
  }
}

class Greetings {
  readonly all = inject(Parts)
    .services('greeter')
    .map((greeter) => greeter.greet())
}

async function application(parts: readonly Part[]): Promise<App> {
  return App.create()
    .configure((definitions) => void definitions.set(Parts, new Parts(parts)))
    .boot()
}

describe('PartList', () => {
  it('refuses two parts of a name, and one without a part that it needs', () => {
    assert.throws(() => new Parts([notes, { name: 'notes' }]), /two parts "notes"/)
    assert.throws(() => new Parts([owners]), /"owners" without "notes"/)
  })

  it('gives services, folders of templates and answers, in the order of the parts', async () => {
    const app = await application([notes, owners, views])

    assert.deepEqual(app.get(Greetings).all, ['Hello'])
    assert.deepEqual(app.get(Parts).views(), { views: views.views })
    const answers = await app
      .get(Parts)
      .answers(async ({ name }) => (name === 'owners' ? undefined : name.toUpperCase()))
    assert.deepEqual(answers, ['NOTES', 'VIEWS'])
  })
})

describe('PageSlots', () => {
  // What the sources here are given, they do not read.
  const context = {} as HttpContext

  it('fills a place with the templates of the parts and what they need', async () => {
    const slots = (await application([notes, owners])).get(Menu)

    assert.deepEqual(await slots.dataFor(['menu', 'foot'], context, 'Ada'), {
      menu: 'Ada',
      slots: { menu: ['notes::line', 'owners::me'], foot: [] },
    })
  })

  it('leaves the templates of a part out that has nothing to say', async () => {
    const slots = (await application([notes, owners])).get(Menu)

    assert.deepEqual(await slots.dataFor(['menu'], context), { slots: { menu: ['notes::line'], foot: [] } })
  })
})
