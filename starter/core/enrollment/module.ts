import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { EnrollmentController } from './enrollment-controller.ts'

// Public as the login is: whoever enrolls is not signed in yet.
const enrollment: ModuleDefinition = defineModule('Enrollment', (module) =>
  module
    .mount('enroll')
    .withoutConventionRouting()
    .controllers(EnrollmentController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [EnrollmentController, 'index']).name('start')
      routes.post('/', [EnrollmentController, 'indexPost'])
      routes.post('/codes', [EnrollmentController, 'codesPost']).name('codes')
      routes.post('/done', [EnrollmentController, 'donePost']).name('done')
      routes.post('/mail', [EnrollmentController, 'mailPost']).name('mail')
      routes.get('/confirm/{token}', [EnrollmentController, 'confirm']).name('confirm')
      routes.post('/confirm/{token}', [EnrollmentController, 'confirmPost'])
      routes.post('/cancel', [EnrollmentController, 'cancelPost']).name('cancel')
    }),
)

export default enrollment
