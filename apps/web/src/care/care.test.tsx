/** The care card on the desk's and the parent's screens: its sign, reading, changing, and two who save at once. */
import { type CareCard, EMPTY_CARE_CARD } from '@haris/contract/care-card';
import { type CareCardView, type CareSign, careRoutes } from '@haris/contract/http/care';
import { BUILT_IN_ROLES } from '@haris/contract/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { family, serveDesk } from '../features/dashboard/testing/desk.ts';
import { handle, offline, refuse, server } from '../testing/contract-server.ts';
import { admin, child } from '../testing/people.ts';
import { renderScreen } from '../testing/render-screen.tsx';

const omar = child({ _id: 'child-omar', name: 'Omar Hassan', isInside: true });
const lina = child({ _id: 'child-lina', name: 'Lina Hassan' });
const mona = family({ _id: 'parent-mona', name: 'Mona Hassan' }, omar, lina);
const staff = { admin: admin() };

const CARD: CareCard = {
  ...EMPTY_CARE_CARD,
  allergies: [
    { allergen: 'milk', substance: '', severity: 'mild', reaction: '', action: '' },
    { allergen: 'peanut', substance: '', severity: 'severe', reaction: 'Hives', action: 'Red bag' },
  ],
  contacts: [{ name: 'Nadia Hassan', relation: 'Grandmother', phone: '+20 2 2735 0000' }],
  documents: [
    { kind: 'passport', name: '', validUntil: '2020-01-31' },
    { kind: 'vaccination', name: '', validUntil: '2099-01-31' },
  ],
};
const signOf = (card: CareCard, more: Partial<CareSign> = {}): CareSign => ({
  childId: 'child-omar',
  allergies: [
    { allergen: 'peanut', substance: '', severity: 'severe' },
    { allergen: 'milk', substance: '', severity: 'mild' },
  ].slice(0, card.allergies.length) as NonNullable<CareSign['allergies']>,
  isUnseen: false,
  ...more,
});
const view = (more: Partial<CareCardView> = {}): CareCardView => ({
  ...{ version: 3, updatedAt: '2026-11-20T08:00:00.000Z', updatedBy: 'parent', card: CARD },
  ...more,
});

/** Serves one card and its sign, and records what is read and saved. */
function serveCare(first = view(), sign: CareSign | null = signOf(CARD), onSlip = false) {
  const known = { view: first, sign, reads: 0, saved: [] as { version: number; card: CareCard }[] };
  server.use(
    handle(careRoutes.listCareSigns, () => ({ signs: known.sign === null ? [] : [known.sign], onSlip })),
    handle(careRoutes.getCareCard, () => {
      known.reads++;
      return known.view;
    }),
    handle(careRoutes.saveCareCard, ({ body }) => {
      if (body.version !== known.view.version) return refuse('care_card_changed');
      known.saved.push(body);
      known.view = view({ version: body.version + 1, card: body.card, updatedBy: 'staff' });
      return known.view;
    }),
  );
  return known;
}

const SIGN = /^Omar Hassan: Allergies: Peanuts \(Severe: danger to life\), Milk \(Mild\)\./;
/** The first is in the list of children inside; the family below has another. */
async function findFirst(name: RegExp | string): Promise<HTMLElement> {
  const [first] = await screen.findAllByRole('button', { name });
  return first as HTMLElement;
}
const findSign = () => findFirst(SIGN);
const findCard = () => screen.findByRole('dialog', { name: 'Care card: Omar Hassan' });

describe('at the desk', () => {
  test('one press on the sign of a row opens the card, the worst first, with whom to call and what has expired', async () => {
    serveDesk(mona);
    const known = serveCare();
    const { user } = await renderScreen('/adminDashboard', { as: staff });
    const sign = await findSign();
    expect(known.reads).toBe(0);
    await user.click(sign);
    const card = await findCard();
    const allergies = await within(card).findByRole('region', { name: 'Allergies' });
    expect(
      within(allergies)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['PeanutsSevere: danger to lifeWhat happens HivesWhat to do Red bag', 'MilkMild']);
    expect(within(card).getByRole('link', { name: 'Call Nadia Hassan' })).toHaveAttribute(
      'href',
      'tel:+20227350000',
    );
    const papers = within(card).getByRole('region', { name: 'Documents' });
    expect(within(papers).getAllByText('Expired')).toHaveLength(1);
    expect(card).toHaveTextContent(/Changed by the family on/);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(sign).toHaveFocus());
  });

  test('whoever may not read cards sees no sign, and nothing is asked for', async () => {
    serveDesk(mona);
    let asked = 0;
    server.use(
      handle(careRoutes.listCareSigns, () => {
        asked++;
        return { signs: [signOf(CARD)], onSlip: false };
      }),
    );
    const permissions = BUILT_IN_ROLES.owner.filter((one) => !one.startsWith('care.'));
    const { user } = await renderScreen('/adminDashboard', { as: { admin: admin({ permissions }) } });
    const [name] = await screen.findAllByRole('link', { name: 'Omar Hassan' });
    await user.click(name as HTMLElement);
    const sheet = await screen.findByRole('dialog', { name: 'Child' });
    await within(sheet).findByText('Siblings');
    expect(screen.queryByRole('button', { name: /care card/i })).not.toBeInTheDocument();
    expect(asked).toBe(0);
  });

  test('a change by the family is marked at once, and no longer after the card was opened', async () => {
    serveDesk(mona);
    const known = serveCare(view(), null);
    const { user, events } = await renderScreen('/adminDashboard', { as: staff });
    await screen.findAllByRole('link', { name: 'Omar Hassan' });
    expect(screen.queryByRole('button', { name: /has changed the care card/ })).not.toBeInTheDocument();
    known.sign = signOf(EMPTY_CARE_CARD, { isUnseen: true });
    await events.send({ type: 'child.care_card_updated', childId: 'child-omar' });
    await user.click(
      await findFirst('Omar Hassan: The family has changed the care card. Open the care card'),
    );
    await findCard();
    known.sign = null;
    await events.send({ type: 'child.care_card_updated', childId: 'child-omar' });
    await waitFor(() =>
      expect(screen.queryAllByRole('button', { name: /has changed the care card/, hidden: true })).toEqual(
        [],
      ),
    );
  });

  test('at check-in the card is one press away, and Escape closes it alone', async () => {
    serveDesk(mona);
    serveCare();
    const { user } = await renderScreen('/adminDashboard', { as: staff });
    await user.click(await screen.findByRole('button', { name: /Check in.*Lina Hassan/ }));
    const entry = await screen.findByRole('dialog', { name: 'Register Child Entry' });
    expect(await within(entry).findByRole('button', { name: SIGN })).toBeInTheDocument();
    await user.click(within(entry).getByRole('button', { name: 'Open the care card of Lina Hassan' }));
    await screen.findByRole('dialog', { name: 'Care card: Lina Hassan' });
    await user.keyboard('{Escape}');
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Care card: Lina Hassan' })).not.toBeInTheDocument(),
    );
    expect(entry).toBeVisible();
  });

  test('without a connection the card says what the sign knows', async () => {
    serveDesk(mona);
    serveCare();
    server.use(handle(careRoutes.getCareCard, offline));
    const { user } = await renderScreen('/adminDashboard', { as: staff });
    await user.click(await findSign());
    const card = await findCard();
    expect(await within(card).findByText(/^Allergies: Peanuts/)).toBeInTheDocument();
  });

  test('an allergy that could not be read is never silence', async () => {
    serveDesk(mona);
    serveCare(view(), signOf(CARD, { allergies: null }));
    await renderScreen('/adminDashboard', { as: staff });
    expect(await findFirst(/^Omar Hassan: The allergies could not be read\./)).toBeInTheDocument();
  });
});

describe('changing', () => {
  async function openForm() {
    const page = await renderScreen('/adminDashboard', { as: staff });
    await page.user.click(await findSign());
    await page.user.click(await screen.findByRole('button', { name: 'Change' }));
    return { ...page, card: await findCard() };
  }

  test('adds an entry, names what is missing, and sends the whole card with its version', async () => {
    serveDesk(mona);
    const known = serveCare();
    const { user, card } = await openForm();
    await user.click(within(card).getByRole('button', { name: 'Add an allergy' }));
    const entry = within(card).getByRole('group', { name: 'Allergies 3' });
    const kind = within(entry).getByRole('combobox', { name: 'Allergic to' });
    await waitFor(() => expect(kind).toHaveFocus());
    await user.selectOptions(kind, 'Something else');
    await user.selectOptions(within(entry).getByRole('combobox', { name: 'Severity' }), 'Moderate');
    await user.click(within(card).getByRole('button', { name: 'Save' }));
    expect(await within(entry).findByText('Please fill this in')).toBeInTheDocument();
    expect(within(entry).getByRole('textbox', { name: 'More exactly' })).toHaveFocus();
    await user.keyboard('Kiwi');
    await user.click(within(card).getByRole('button', { name: 'Remove: Documents 1' }));
    await user.type(within(card).getByRole('textbox', { name: 'Food and diet' }), 'No pork');
    await user.click(within(card).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Care card saved')).toBeInTheDocument();
    expect(known.saved).toEqual([
      {
        version: 3,
        card: {
          ...CARD,
          allergies: [
            ...CARD.allergies,
            { allergen: 'other', substance: 'Kiwi', severity: 'moderate', reaction: '', action: '' },
          ],
          dietary: 'No pork',
          documents: CARD.documents.slice(1),
        },
      },
    ]);
    expect(await within(card).findByText('Kiwi')).toBeInTheDocument();
  });

  test('a save that another one overtook keeps what was typed, shows the other, and then replaces it', async () => {
    serveDesk(mona);
    const known = serveCare();
    const { user, card } = await openForm();
    await user.type(within(card).getByRole('textbox', { name: 'Note' }), 'Mine');
    known.view = view({ version: 4, card: { ...CARD, note: 'Theirs' } });
    await user.click(within(card).getByRole('button', { name: 'Save' }));
    const alert = await within(card).findByRole('alert');
    expect(alert).toHaveTextContent('Somebody else changed this card meanwhile');
    await user.click(within(alert).getByText('Show the other version'));
    expect(within(alert).getByText('Theirs')).toBeVisible();
    expect(within(card).getByRole('textbox', { name: 'Note' })).toHaveValue('Mine');
    await user.click(within(card).getByRole('button', { name: 'Save over the other version' }));
    await screen.findByText('Care card saved');
    expect(known.saved.map(({ version, card: { note } }) => [version, note])).toEqual([[4, 'Mine']]);
  });

  test('teachers read only', async () => {
    serveDesk(mona);
    serveCare();
    const { user } = await renderScreen('/adminDashboard', {
      as: { admin: admin({ permissions: [...BUILT_IN_ROLES.teacher] }) },
    });
    await user.click(await findSign());
    expect(await within(await findCard()).findByText('Peanuts')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Change' })).not.toBeInTheDocument();
  });
});

test('a parent fills in the card of a child at home', async () => {
  const empty = view({ version: 0, updatedAt: null, updatedBy: null, card: EMPTY_CARE_CARD });
  const known = serveCare(empty, null);
  const { user } = await renderScreen('/profile', { as: { parent: mona }, language: 'ar' });
  await user.click(await screen.findByRole('button', { name: 'فتح بطاقة الرعاية: Lina Hassan' }));
  const card = await screen.findByRole('dialog', { name: 'بطاقة الرعاية: Lina Hassan' });
  expect(await within(card).findByText('لم تُدخل أي بيانات بعد.')).toBeInTheDocument();
  await user.click(within(card).getByRole('button', { name: 'إدخال البيانات' }));
  await user.click(within(card).getByRole('button', { name: 'إضافة جهة اتصال' }));
  const contact = within(card).getByRole('group', { name: 'جهات الاتصال في الطوارئ ١' });
  await user.type(within(contact).getByRole('textbox', { name: 'الاسم' }), 'نادية');
  await user.type(within(contact).getByRole('textbox', { name: 'الهاتف' }), '٠١٠٠١٢٣٤٥٦٧');
  await user.click(within(card).getByRole('button', { name: 'حفظ' }));
  await screen.findByText('تم حفظ بطاقة الرعاية');
  expect(known.saved[0]?.card.contacts).toEqual([{ name: 'نادية', relation: '', phone: '01001234567' }]);
});

test.each([
  [false, 0],
  [true, 1],
])('slips name allergies only where the facility wants it: %s', async (onSlip, lists) => {
  serveDesk(mona);
  serveCare(view(), signOf(CARD), onSlip);
  const { user } = await renderScreen('/adminDashboard', { as: staff });
  await user.click(await screen.findByRole('button', { name: 'Print slip of Omar Hassan' }));
  const slip = await screen.findByRole('article', { name: 'Entry slip of Omar Hassan' });
  await waitFor(() => expect(within(slip).queryAllByRole('list', { name: 'Allergies' })).toHaveLength(lists));
});

test('only the family permits a medicine; staff read that it does, and have no box for it', async () => {
  const medicines = [{ name: 'Zyrtec', dose: '5 ml', when: '', untilDate: null, permitted: false }];
  const known = serveCare(view({ card: { ...EMPTY_CARE_CARD, medicines } }), null);
  const home = await renderScreen('/profile', { as: { parent: mona } });
  await home.user.click(await screen.findByRole('button', { name: 'Open the care card of Lina Hassan' }));
  const own = await screen.findByRole('dialog', { name: 'Care card: Lina Hassan' });
  await home.user.click(await within(own).findByRole('button', { name: 'Change' }));
  await home.user.click(within(own).getByRole('checkbox', { name: 'The nursery may give this medicine' }));
  await home.user.click(within(own).getByRole('button', { name: 'Save' }));
  await screen.findByText('Care card saved');
  expect(known.saved[0]?.card.medicines).toEqual([{ ...medicines[0], permitted: true }]);
  await home.unmount();
  serveDesk(mona);
  const desk = await renderScreen('/adminDashboard?child=child-lina', { as: staff });
  await desk.user.click(await screen.findByRole('button', { name: 'Open the care card of Lina Hassan' }));
  const card = await screen.findByRole('dialog', { name: 'Care card: Lina Hassan' });
  expect(await within(card).findByText('The family allows the nursery to give it.')).toBeVisible();
  await desk.user.click(within(card).getByRole('button', { name: 'Change' }));
  await within(card).findByRole('textbox', { name: 'Dose' });
  expect(within(card).queryByRole('checkbox')).not.toBeInTheDocument();
});
