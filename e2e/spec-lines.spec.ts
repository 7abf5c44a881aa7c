/** Lines of the specification that no other journey covers: texts while waiting, empty lists, failures, ways back. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { FROM_CAMERA_MS } from './harness/camera.ts';
import { capturePhoto, chooseDeletion, familyOf, insideRow, notice } from './harness/person.ts';

const SECTIONS = ['main-content', 'about-section', 'features-section', 'pricing-section', 'contact-section'];

/** Holds every request to this path; returns a function that releases them. */
async function hold(page: Page, path: string): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    await held;
    await route.continue();
  });
  return () => go();
}

/** Records the form data that the page sends: texts as they are, files as their type and first bytes. */
const KEEP_FORMS = `
  const send = window.fetch;
  window.sentForms = [];
  window.fetch = async (url, init) => {
    if (init?.body instanceof FormData) {
      const form = { path: new URL(url, location.href).pathname };
      for (const [name, value] of init.body) {
        if (typeof value === 'string') form[name] = value;
        else form[name] = [value.type, ...new Uint8Array(await value.slice(0, 8).arrayBuffer())].join(' ');
      }
      window.sentForms.push(form);
    }
    return send(url, init);
  };
`;
const PNG = `image/png ${[...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')].join(' ')}`;

test('the landing page from top to bottom', async ({ visit }) => {
  const { page } = await visit();
  await page.goto('/');
  await test.step('its sections, in their order', async () => {
    await expect(page.getByText('Welcome to Haris')).toBeVisible();
    expect(await page.locator('main section[id]').evaluateAll((all) => all.map(({ id }) => id))).toEqual(
      SECTIONS,
    );
    await expect(page.getByRole('link', { name: 'Login/Register', exact: true })).toHaveAttribute(
      'href',
      '/login',
    );
    const pricing = page.locator('#pricing-section');
    await expect(pricing).toContainText('Details will be available soon. Flexible options are planned.');
    const contact = page.locator('#contact-section');
    await expect(contact).toContainText('support@haris.example');
    await expect(contact).toContainText('010 0000 0000');
    await expect(contact.getByText('Placeholder', { exact: true })).toHaveCount(2);
  });

  await test.step('its cards say what the product does', async () => {
    await expect(page.locator('#features-section').getByRole('heading', { level: 3 })).toHaveText([
      'Live, and only your child',
      'One countdown on every screen',
      'The air they breathe',
      'Sealed, each with its own key',
      'Nothing goes unseen',
      'Your nursery, its own machine',
    ]);
  });

  await test.step('six cards fade in once, 0.2 s after one another, when a fifth of them is to be seen', async () => {
    const cards = page.locator('#features-section li');
    await expect(cards).toHaveCount(6);
    await expect(cards.first()).toHaveCSS('opacity', '0');
    await page.locator('#features-section').scrollIntoViewIfNeeded();
    await cards.nth(4).scrollIntoViewIfNeeded();
    await expect(cards.last()).toHaveCSS('opacity', '1');
    expect(
      await cards.evaluateAll((all) =>
        all.map((card) => card.ownerDocument.defaultView.getComputedStyle(card).animationDelay),
      ),
    ).toEqual(['0.3s', '0.5s', '0.7s', '0.9s', '1.1s', '1.3s']);
    await page.locator('#main-content').scrollIntoViewIfNeeded();
    await expect(cards.last()).toHaveCSS('opacity', '1');
  });

  await test.step('the anchors of the header lead to the sections, from another screen too', async () => {
    for (const [name, section] of [
      ['About', 'about-section'],
      ['Contact', 'contact-section'],
      ['Features', 'features-section'],
      ['Pricing', 'pricing-section'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
      await expect(page).toHaveURL(`/overview#${section}`);
      await expect(page.locator(`#${section} h2`)).toBeInViewport();
    }
    await page.goto('/login');
    await page.getByRole('banner').getByRole('link', { name: 'About', exact: true }).click();
    await expect(page).toHaveURL('/overview#about-section');
    await expect(page.locator('#about-section h2')).toBeInViewport();
  });

  await test.step('the footer', async () => {
    const footer = page.getByRole('contentinfo');
    await footer.getByRole('link', { name: 'Contact Us' }).click();
    await expect(page.locator('#contact-section h2')).toBeInViewport();
    for (const [name, url] of [
      ['Privacy Policy', '/privacy'],
      ['Terms', '/terms'],
    ] as const) {
      await footer.getByRole('link', { name }).click();
      await expect(page).toHaveURL(url);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    }
  });
});

test('no motion for people who ask for none', async ({ visit }) => {
  const { page } = await visit({ reducedMotion: 'reduce' });
  await page.goto('/');
  for (const card of await page.locator('#features-section li').all()) {
    await expect(card).toHaveCSS('opacity', '1');
    await expect(card).toHaveCSS('animation-name', 'none');
  }
});

test('the menu of a phone offers both ways in', async ({ api, visit }) => {
  const { page } = await visit({ size: 'phone' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Admin Panel' })).toHaveAttribute('href', '/adminPreLogin');
  await menu.getByRole('link', { name: 'Login / Register' }).click();
  await expect(page).toHaveURL('/login');
  const { page: signedIn } = await visit({ size: 'phone', as: await api.family('Mona Hassan') });
  await signedIn.goto('/');
  await expect(signedIn.getByRole('button', { name: 'Open menu' })).toHaveCount(0);
  await signedIn.getByRole('button', { name: 'Your account' }).click();
  const account = signedIn.getByRole('dialog', { name: 'Your account' });
  await expect(account).toContainText('Mona Hassan');
  await account.getByRole('link', { name: 'Home' }).click();
  await expect(signedIn).toHaveURL('/profile');
});

test('signing in and registering: the words while waiting, and the ways back', async ({ api, visit }) => {
  const family = await api.family('Sara Ibrahim');
  const { page } = await visit();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/login');
  await page.getByRole('link', { name: 'Register here' }).click();
  await expect(page).toHaveURL('/register');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/register');
  await page.getByRole('link', { name: 'Login here' }).click();
  await expect(page).toHaveURL('/login');
  await page.goto('/adminPreLogin');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/login');
  const go = await hold(page, '/api/parent/get-parent-by-email-and-password');
  await page.getByLabel('Email').fill(family.email);
  await page.getByLabel(/^Password/).fill(family.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible();
  go();
  await expect(page).toHaveURL('/profile');
  expect(await page.evaluate<string>('localStorage.getItem("token")')).toMatch(/^[\w-]{43,}$/);
});

test('with a kept token both identities are asked for while the page is loading; a dead one is removed', async ({
  api,
  visit,
}) => {
  const family = await api.family('Mona Hassan');
  const { page, trap } = await visit({ as: family });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/\/api\/(admin|parent)\/info$/.test(request.url())) return;
    asked.push(new URL(request.url()).pathname);
    expect(request.headers().authorization).toBe(`Bearer ${family.token}`);
  });
  const [admin, parent] = [await hold(page, '/api/admin/info'), await hold(page, '/api/parent/info')];
  await page.goto('/profile');
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeHidden();
  admin();
  parent();
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
  expect(asked.sort()).toEqual(['/api/admin/info', '/api/parent/info']);

  await api.call('/api/logout', { method: 'POST', token: family.token });
  trap.expectHttp(401, /^\/api\//);
  await page.reload();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate('localStorage.getItem("token")')).toBeNull();
  asked.length = 0;
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(asked).toEqual([]);
});

test('the dashboard has its name and shows nothing of anybody until it is known who is there', async ({
  api,
  visit,
}) => {
  const { page } = await visit({ as: await api.administrator() });
  const [admin, parent] = [await hold(page, '/api/admin/info'), await hold(page, '/api/parent/info')];
  await page.goto('/adminDashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Admin dashboard' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Register Entry' })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0);
  admin();
  parent();
  await expect(page.getByRole('heading', { name: 'Parents & Children' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('who registers is a visitor, whatever token is kept here', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/register');
  await page.getByLabel('Full name').fill('Huda Samir');
  await page.getByLabel('Email').fill('huda@family.example');
  await page.getByLabel('Phone number').fill('01012345678');
  await page.getByLabel(/^Password/).fill('secret-6');
  const request = page.waitForRequest('**/api/parent/add');
  await page.getByRole('button', { name: 'Create Account' }).click();
  expect((await request).headers().authorization).toBeUndefined();
  await expect(notice(page, 'Registration successful. Please ask the staff at the desk')).toBeVisible();
});

test('a link that verifies nothing says so in Arabic, and leads on', async ({ visit }) => {
  const { page, trap } = await visit();
  trap.expectHttp(400, /\/verify\/email\//);
  for (const [path, kind, login] of [
    ['/verify/no-such-token', 'admin', '/login?isAdmin=true'],
    ['/verify-parent/no-such-token', 'parent', '/login'],
  ] as const) {
    const go = await hold(page, `/api/${kind}/verify/email/*`);
    await page.goto(path);
    await expect(page.getByText('Verifying your email…')).toBeVisible();
    go();
    await expect(page.getByText('تعذّر التحقق من بريدك الإلكتروني.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to login' }).click();
    await expect(page).toHaveURL(login);
  }
});

test('empty lists and lists that cannot be loaded', async ({ api, visit }) => {
  const { page, trap } = await visit({ as: await api.administrator() });
  const empty = { total: 0, nextCursor: null };
  await page.route('**/api/parent/get-all-parents*', (route) =>
    route.fulfill({ json: { parents: [], ...empty } }),
  );
  await page.goto('/adminDashboard');
  await expect(page.getByText('No parents registered yet.')).toBeVisible();
  await expect(page.getByText('No children currently detected.')).toBeVisible();

  const roster = '**/api/admin/get-all-admins*';
  await page.route(roster, (route) => route.fulfill({ json: { admins: [], ...empty } }), { times: 1 });
  await page.goto('/viewEmployees');
  await expect(page.getByText('No employees registered yet.')).toBeVisible();
  await page.route(roster, (route) => route.fulfill({ status: 500, body: 'broken' }));
  trap.expectHttp(500, '/api/admin/get-all-admins');
  await page.reload();
  await expect(page.getByText('Error loading employees.')).toBeVisible();
  await page.unroute(roster);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Error loading employees.')).toBeHidden();
  await expect(page.getByText(/^\d+ employees?$/)).toBeVisible();
});

test('where the server says nothing, the fixed texts do', async ({ api, visit }) => {
  const broken = { status: 502, body: 'broken' };
  const { page, trap } = await visit({ as: await api.administrator() });
  trap.expectHttp(502, /^\/api\//);
  await api.family('Ali Samir');
  await page.route('**/api/parent/delete-parent/*', (route) => route.fulfill(broken));
  await page.goto('/adminDashboard');
  await chooseDeletion(page, 'Ali Samir');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Parent' }).click();
  await expect(notice(page, 'Failed to delete parent.')).toBeVisible();

  const { token } = await api.administrator();
  const json = {
    name: 'Rana',
    nationalId: '29801010101011',
    email: 'rana@haris.example',
    password: 'a-staff-secret',
  };
  await api.call('/api/admin/create-admin', { method: 'POST', token, json });
  await page.route('**/api/admin/delete-admin/*', (route) => route.fulfill(broken));
  await page.goto('/viewEmployees');
  await page.getByRole('button', { name: 'Delete Employee Rana' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Employee' }).click();
  await expect(notice(page, 'Failed to delete employee.')).toBeVisible();

  const { page: phone, trap: phoneTrap } = await visit({ size: 'phone' });
  phoneTrap.expectHttp(502, /^\/api\//);
  await phone.route('**/api/parent/add', (route) => route.fulfill(broken));
  await phone.route('**/api/parent/get-parent-by-email-and-password', (route) => route.fulfill(broken));
  await phone.goto('/register');
  await phone.getByLabel('Full name').fill('Huda');
  await phone.getByLabel('Email').fill('huda@family.example');
  await phone.getByLabel('Phone number').fill('01012345678');
  await phone.getByLabel(/^Password/).fill('secret-6');
  await phone.getByRole('button', { name: 'Create Account' }).click();
  await expect(notice(phone, 'Registration failed.')).toBeVisible();
  await phone.goto('/login');
  await phone.getByLabel('Email').fill('huda@family.example');
  await phone.getByLabel(/^Password/).fill('secret-6');
  await phone.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(notice(phone, 'An unexpected error occurred.')).toBeVisible();
});

test('forms of the dashboard say what is missing', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  await page.getByRole('button', { name: 'Register Entry' }).first().click();
  const entry = page.getByRole('dialog', { name: 'Register Child Entry' });
  for (const period of ['30 minutes', '1 hour', '2 hours', '4 hours'])
    await expect(entry.getByRole('radio', { name: period })).toBeAttached();
  await expect(entry.getByRole('radio', { name: '30 minutes' })).toBeChecked();
  await entry.getByRole('button', { name: 'Check in', exact: true }).click();
  await expect(entry.getByText('Please select a parent and at least one child.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add Employee' }).click();
  const employee = page.getByRole('dialog', { name: 'Add New Employee' });
  await employee.getByRole('button', { name: 'Add Employee' }).click();
  for (const sentence of [
    'Name is required',
    'Invalid email format',
    'Password is required',
    'Invalid national ID format',
  ])
    await expect(employee.getByText(sentence)).toBeVisible();
  await employee.getByLabel('Email').fill('not an address');
  await employee.getByRole('button', { name: 'Add Employee' }).click();
  await expect(employee.getByText('Invalid email format')).toBeVisible();
});

test('what the dashboard tells of a child inside, of a family, and of an employee', async ({
  api,
  visit,
}) => {
  const family = await api.family('Hala Nabil', { 'Ziad Nabil': 5 });
  const child = await api.checkIn(family.children[0]?._id ?? '', 60);
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/adminDashboard');
  const inside = insideRow(page, 'Ziad Nabil');
  // The first page of a server: its chunks and photos load slowly on a busy machine.
  await expect(inside).toContainText('Hala Nabil', { timeout: 30_000 });
  await expect(inside.locator('img')).toHaveJSProperty('complete', true);
  await expect(inside.locator('time').first()).toHaveAttribute('datetime', String(child.entryTime));
  await expect(inside.getByRole('button', { name: 'Checkout' })).toBeVisible();
  const entry = familyOf(page, 'Hala Nabil');
  await expect(entry).toContainText(family.email);
  await expect(entry).toContainText(/010\d{8}/);
  await expect(entry.getByRole('list')).toContainText('Ziad Nabil');
  await expect(entry.getByRole('list')).toContainText('Inside');
  await expect(entry.getByRole('list').locator('img')).toHaveJSProperty('complete', true);
  await api.checkOut(child._id);
  await expect(entry.getByRole('list')).toContainText('Outside');

  await page.goto('/viewEmployees');
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Administrator' });
  await expect(card).toContainText('@');
});

test('the sidebar folds, and has its five ways', async ({ api, visit }) => {
  const { page } = await visit({ as: await api.administrator() });
  await page.goto('/reports');
  const sidebar = page.getByRole('navigation', { name: 'Dashboard menu' });
  for (const name of ['Add Employee', 'Register Entry', 'Logout'])
    await expect(sidebar.getByRole('button', { name, exact: true })).toBeVisible();
  for (const name of ['View Employees', 'Site Overview'])
    await expect(sidebar.getByRole('link', { name, exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Collapse menu' }).click();
  await expect(page.getByRole('button', { name: 'Expand menu' })).toBeVisible();
  await page.getByRole('button', { name: 'Expand menu' }).click();
  await sidebar.getByRole('link', { name: 'Site Overview' }).click();
  await expect(page).toHaveURL(/^[^?]*\/(overview)?$/);
});

test('Add Child sends a PNG of the camera, its encoding, and goes back to where it came from', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const family = await api.family('Nour Ibrahim');
  await server.engineReady();
  await camera.showPerson(4);
  const { page } = await visit({ as: await api.administrator(), camera: 'allowed' });
  await page.addInitScript(KEEP_FORMS);
  await page.goto('/adminDashboard');
  await familyOf(page, 'Nour Ibrahim').getByRole('link', { name: 'Add Child' }).click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/adminDashboard');
  await familyOf(page, 'Nour Ibrahim').getByRole('link', { name: 'Add Child' }).click();
  const save = page.getByRole('button', { name: 'Save Child' });
  await capturePhoto(page);
  await page.getByLabel("Child's name").fill('   ');
  await expect(save).toBeDisabled();
  await page.getByLabel("Child's name").fill('Adam');
  await save.click();
  await expect(notice(page, 'Child registered successfully')).toBeVisible({ timeout: FROM_CAMERA_MS });
  await expect(page).toHaveURL('/adminDashboard');
  const forms = await page.evaluate<Record<string, string>[]>('window.sentForms');
  expect(forms.filter(({ path }) => path === '/register-child')).toEqual([
    { path: '/register-child', image: PNG, childName: 'Adam', parentId: family.id },
  ]);
  expect(forms.filter(({ path }) => path?.includes('create-child'))).toMatchObject([
    {
      path: `/api/children/create-child/${family.id}`,
      name: 'Adam',
      photo: PNG,
      encoding: expect.stringMatching(/^\[-?[0-9.e-]+(,-?[0-9.e-]+){127}\]$/),
    },
  ]);
});
