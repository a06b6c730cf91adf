import { Controller, inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { blankForm, type Submitted } from 'sallyport/input'
import { form, param, type Actions } from 'sallyport/routing'
import { z } from 'zod'
import { Account } from './accounts.ts'
import { Notes } from './notes.ts'

const NoteForm = z.object({
  title: z.string().trim().min(1, 'Enter a title').max(100),
  text: z.string().max(10_000),
})

export class NoteController extends Controller {
  static readonly actions = {
    index: [],
    create: [],
    createPost: [form(NoteForm)],
    edit: [param.int('id')],
    editPost: [param.int('id'), form(NoteForm)],
    deletePost: [param.int('id')],
  } satisfies Actions<NoteController>

  readonly #notes = inject(Notes)

  index() {
    return this.view('notes/index', { notes: this.#notes.list(this.#account()) })
  }

  create() {
    return this.view('notes/form', { title: 'New note', form: blankForm() })
  }

  async createPost(form: Submitted<typeof NoteForm>) {
    if (!form.ok) return this.view('notes/form', { title: 'New note', form }, { status: 422 })
    this.#notes.add(this.#account(), form.value)
    return this.#done('The note is saved.')
  }

  edit(id: number) {
    return this.view('notes/form', { title: 'Edit note', form: blankForm(this.#note(id)) })
  }

  async editPost(id: number, form: Submitted<typeof NoteForm>) {
    this.#note(id)
    if (!form.ok) return this.view('notes/form', { title: 'Edit note', form }, { status: 422 })
    this.#notes.update(this.#account(), id, form.value)
    return this.#done('The note is saved.')
  }

  async deletePost(id: number) {
    this.#notes.delete(this.#account(), this.#note(id).id)
    return this.#done('The note is deleted.')
  }

  #account() {
    return this.context.auth().principalAs(Account)
  }

  #note(id: number) {
    const note = this.#notes.find(this.#account(), id)
    if (note === undefined) throw new NotFoundException()
    return note
  }

  async #done(message: string) {
    await this.context.flash().add('notice', message)
    return this.redirectToRoute('notes:index')
  }
}
