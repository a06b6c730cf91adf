import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { EnrollmentEndController } from './end-controller.ts'
import { EnrollmentController } from './enrollment-controller.ts'
import { LinkController } from './link-controller.ts'

// Public as the login is: whoever enrolls is not signed in yet.
const enrollment: ModuleDefinition = defineModule('Enrollment', (module) =>
  module
    .mount('enroll')
    .withoutConventionRouting()
    .controllers(EnrollmentController, LinkController, EnrollmentEndController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [EnrollmentController, 'index']).name('start')
      routes.post('/', [EnrollmentController, 'indexPost'])
      routes.post('/codes', [EnrollmentEndController, 'codesPost']).name('codes')
      routes.post('/done', [EnrollmentEndController, 'donePost']).name('done')
      routes.post('/mail', [LinkController, 'indexPost']).name('mail')
      routes.get('/confirm/{token}', [LinkController, 'confirm']).name('confirm')
      routes.post('/confirm/{token}', [LinkController, 'confirmPost'])
      routes.post('/cancel', [EnrollmentEndController, 'cancelPost']).name('cancel')
    }),
)

export default enrollment
