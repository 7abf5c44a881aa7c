/** A face that cannot be told apart: the guide says what to change, and a photo file is refused in words. */
import {
  paintDrawing,
  paintHalfDarkFace,
  paintMaskedFace,
  paintSunglasses,
  paintUpsideDownFace,
} from '@haris/painter/bad-photos';
import { expect, test } from './fixtures.ts';
import { seedOf } from './harness/camera.ts';

const refused = [
  {
    code: 'eyes_covered',
    paint: () => paintSunglasses(seedOf(1)),
    en: 'The eyes are covered. Please take the photo without sunglasses, with both eyes in view.',
    ar: 'العينان مغطّاتان. التقط الصورة من دون نظارة شمسية بحيث تظهر العينان.',
  },
  {
    code: 'mouth_covered',
    paint: () => paintMaskedFace(seedOf(1)),
    en: 'The lower half of the face is covered. Please take the photo without a mask or a hand in front of it.',
    ar: 'الجزء السفلي من الوجه مغطّى. التقط الصورة من دون كمامة أو يد أمامه.',
  },
  {
    code: 'face_upside_down',
    paint: () => paintUpsideDownFace(seedOf(1)),
    en: 'The face is upside down. Please take the photo the right way up.',
    ar: 'الوجه مقلوب. يُرجى التقاط الصورة والوجه معتدل.',
  },
  {
    code: 'face_unevenly_lit',
    paint: () => paintHalfDarkFace(seedOf(1)),
    en: 'Half of the face is in the dark. Please turn it towards the light.',
    ar: 'نصف الوجه في الظل. وجّهه نحو الضوء والتقط الصورة من جديد.',
  },
  {
    code: 'not_a_photo',
    paint: () => paintDrawing(),
    en: 'This looks like a drawing. Please take a photo of the child.',
    ar: 'تبدو هذه الصورة رسمًا. يُرجى التقاط صورة حقيقية للطفل.',
  },
] as const;

const words = {
  en: { name: "Child's name", choose: 'Choose a photo file', save: 'Save Child', retake: 'Retake Photo' },
  ar: { name: 'اسم الطفل', choose: 'اختر صورة من الجهاز', save: 'حفظ الطفل', retake: 'إعادة التقاط الصورة' },
} as const;

for (const [language, size] of [
  ['en', 'desk'],
  ['ar', 'phone'],
] as const)
  test(`a photo of a face that cannot be told apart is refused in words, ${language}`, async ({
    server,
    api,
    visit,
  }) => {
    const parent = await api.family('Mona Hassan');
    await server.engineReady();
    const { page, trap } = await visit({ size, language, as: parent, camera: 'refused' });
    await page.goto('/addChild');
    await page.getByLabel(words[language].name).fill('Omar Hassan');
    for (const photo of refused) {
      trap.expectHttp(422, '/register-child');
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: words[language].choose }).click();
      await (await choosing).setFiles({
        name: 'omar.jpg',
        mimeType: 'image/jpeg',
        buffer: await photo.paint(),
      });
      await page.getByRole('button', { name: words[language].save }).click();
      await expect(page.getByRole('main').getByRole('alert')).toContainText(photo[language]);
      // Notices of the refusals before lie over the page's end for some seconds, longer while a pointer rests on them.
      await page.getByRole('button', { name: words[language].retake }).press('Enter');
    }
    await page.goto('/profile');
    await expect(page.getByText('Omar Hassan')).toHaveCount(0);
  });

test('the guide asks for the mask to be taken off before the photo is taken', async ({
  server,
  api,
  camera,
  visit,
}) => {
  const parent = await api.family('Mona Hassan');
  await server.engineReady();
  await camera.showPicture(await paintMaskedFace(seedOf(1)));
  const { page } = await visit({ size: 'phone', as: parent, camera: 'allowed' });
  await page.goto('/addChild');
  await expect(page.getByText('Show the whole face, no mask')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Capture Photo' })).toBeDisabled();
});
