/** What notifications say about each kind of incident, in English and Arabic. */
import type { Language } from '@haris/contract/fields';
import type { IncidentKind } from '@haris/contract/incident-kinds';

/**
 * Placeholders: `{child}` or `{name}` is the subject's name; `{area}`, `{value}` and `{limit}` come from the incident,
 * `{place}` is where a missing child was last, `{count}` is the number of its subjects.
 */
interface IncidentWords {
  readonly title: string;
  readonly body: string;
  /** The text at the end of the incident. */
  readonly over: string;
  /** The body for staff, where it differs from the one for parents. */
  readonly staff?: string;
  /** The body for staff if `{place}` is known. */
  readonly placed?: string;
  /** Body and end for an incident with more than one subject. */
  readonly many?: { readonly body: string; readonly over: string };
}

export const incidentWords: Readonly<Record<IncidentKind, Readonly<Record<Language, IncidentWords>>>> = {
  temperature: {
    en: {
      title: 'High temperature',
      body: 'It is {value} °C in {area}.',
      over: 'The temperature in {area} is back to normal.',
    },
    ar: {
      title: 'درجة حرارة مرتفعة',
      body: 'بلغت الحرارة {value} °م في {area}.',
      over: 'عادت درجة الحرارة في {area} إلى المعدل الطبيعي.',
    },
  },
  air: {
    en: {
      title: 'Gas or smoke in the air',
      body: 'The sensor in {area} reads {value}.',
      over: 'The air in {area} is back to normal.',
    },
    ar: {
      title: 'غاز أو دخان في الهواء',
      body: 'قراءة المستشعر في {area} هي {value}.',
      over: 'عاد الهواء في {area} إلى حالته الطبيعية.',
    },
  },
  sensor_offline: {
    en: {
      title: 'Sensor offline',
      body: 'No data from “{name}” in {area}. Temperature and air are not monitored there.',
      over: '“{name}” in {area} is sending data again.',
      many: {
        body: '{count} sensors send no data. Temperature and air are not monitored there.',
        over: 'All {count} sensors are sending data again.',
      },
    },
    ar: {
      title: 'مستشعر منقطع',
      body: 'لا تصل بيانات من «{name}» في {area}. لا تُراقَب الحرارة والهواء هناك.',
      over: 'عادت البيانات تصل من «{name}» في {area}.',
      many: {
        body: 'عدد المستشعرات المنقطعة: {count}. لا تُراقَب الحرارة والهواء هناك.',
        over: 'عادت البيانات تصل من كل المستشعرات، وعددها {count}.',
      },
    },
  },
  stay_due: {
    en: {
      title: 'Time ends soon',
      body: 'The time of {child} ends in 10 minutes.',
      over: '{child} has left, or stays longer.',
    },
    ar: {
      title: 'الوقت ينتهي قريبًا',
      body: 'ينتهي وقت {child} بعد ١٠ دقائق.',
      over: 'تم استلام {child} أو مُدّد الوقت.',
    },
  },
  time_up: {
    en: {
      title: 'Time’s up',
      body: 'The time of {child} is up. Please come to pick up.',
      over: '{child} has been picked up, or stays longer.',
      staff: '{child} is over time and still inside.',
      many: {
        body: '{count} children are over time and still inside.',
        over: 'All {count} children have been picked up, or stay longer.',
      },
    },
    ar: {
      title: 'انتهى الوقت',
      body: 'انتهى وقت {child}. نرجو الحضور للاستلام.',
      over: 'تم استلام {child} أو مُدّد الوقت.',
      staff: 'انتهى وقت {child} دون تسجيل الانصراف.',
      many: {
        body: 'عدد الأطفال الذين انتهى وقتهم دون تسجيل انصرافهم: {count}.',
        over: 'تم استلام الأطفال أو مُدّد وقتهم، وعددهم {count}.',
      },
    },
  },
  not_seen: {
    en: {
      title: 'Not seen by a camera',
      body: '{child} is checked in but has not been seen by a camera recently.',
      over: '{child} has been seen, or is checked out.',
      many: {
        body: '{count} children are checked in but have not been seen by a camera recently.',
        over: 'All {count} children have been seen, or are checked out.',
      },
    },
    ar: {
      title: 'لا ظهور أمام الكاميرات',
      body: 'سُجّل الحضور، ولا ظهور أمام أي كاميرا منذ مدة: {child}.',
      over: 'تمت مشاهدة {child} أو سُجّل الانصراف.',
      many: {
        body: 'عدد الأطفال المسجّل حضورهم ولا يظهرون أمام أي كاميرا: {count}.',
        over: 'تمت مشاهدة الأطفال أو سُجّل انصرافهم، وعددهم {count}.',
      },
    },
  },
  seen_outside: {
    en: {
      title: 'Seen without check-in',
      body: '{child} was seen in {area} but is not checked in.',
      over: '{child} is checked in, or is no longer seen.',
      many: {
        body: '{count} children were seen but are not checked in.',
        over: 'All {count} children are checked in, or are no longer seen.',
      },
    },
    ar: {
      title: 'مشاهدة دون تسجيل حضور',
      body: 'تمت مشاهدة {child} في {area} دون تسجيل الحضور.',
      over: 'سُجّل حضور {child} أو انتهى الظهور أمام الكاميرات.',
      many: {
        body: 'عدد الأطفال الذين شوهدوا دون تسجيل حضور: {count}.',
        over: 'سُجّل حضور الأطفال أو لم تعد الكاميرات تراهم، وعددهم {count}.',
      },
    },
  },
  barred_person: {
    en: {
      title: 'Barred person at pick-up',
      body: 'A barred person tried to pick up {child}. The child is still inside.',
      over: 'A colleague has acknowledged the alert about the pick-up of {child}.',
    },
    ar: {
      title: 'محاولة استلام من شخص ممنوع',
      body: 'حاول شخص ممنوع استلام {child}. ما زال الطفل في الداخل.',
      over: 'اطّلع أحد الموظفين على التنبيه الخاص باستلام {child}.',
    },
  },
  missing_child: {
    en: {
      title: 'Missing child',
      body: '{child} is missing. Please help to search now.',
      placed: '{child} is missing. Last known place: {place}. Please help to search now.',
      over: '{child} has been found.',
    },
    ar: {
      title: 'طفل مفقود',
      body: 'لم يُعثر على {child} في الداخل. يُرجى المساعدة في البحث فورًا.',
      placed: 'لم يُعثر على {child} في الداخل. آخر مكان معروف: {place}. يُرجى المساعدة في البحث فورًا.',
      over: 'تم العثور على {child}.',
    },
  },
  unexpected_release: {
    en: {
      title: 'Unexpected pick-up',
      body: 'A guardian of {child} did not expect this pick-up. Please call the guardians now.',
      over: 'A colleague has acknowledged that the pick-up of {child} was not expected.',
    },
    ar: {
      title: 'استلام غير متوقع',
      body: 'أحد أولياء أمر {child} لم يتوقع هذا الاستلام. يُرجى الاتصال بأولياء الأمر الآن.',
      over: 'اطّلع أحد الموظفين على بلاغ الاستلام غير المتوقع: {child}.',
    },
  },
  doubtful_release: {
    en: {
      title: 'Doubtful pick-up',
      body: '{child} left while a desk had no connection, perhaps with the wrong adult. Please call the guardians now.',
      over: 'A colleague has acknowledged the alert about the pick-up of {child}.',
    },
    ar: {
      title: 'استلام مشكوك فيه',
      body: 'كان انصراف {child} أثناء انقطاع اتصال مكتب الاستقبال، وليس مؤكدًا أن من استلم الطفل يحق له ذلك. يُرجى الاتصال بأولياء الأمر الآن.',
      over: 'اطّلع أحد الموظفين على التنبيه الخاص باستلام {child}.',
    },
  },
  desk_conflict: {
    en: {
      title: 'Desk conflict',
      body: 'What a desk wrote about {child} without a connection does not fit what Haris has. Please compare and settle it.',
      over: 'What a desk wrote about {child} is settled.',
      many: {
        body: 'What desks wrote about {count} children without a connection does not fit what Haris has. Please compare and settle it.',
        over: 'What desks wrote about {count} children is settled.',
      },
    },
    ar: {
      title: 'تسجيل متعارض من جهاز مكتب',
      body: 'ما سجّله جهاز المكتب أثناء انقطاع الاتصال عن {child} لا يتوافق مع ما لدى حارس. يُرجى المقارنة والحسم.',
      over: 'حُسم ما سجّله جهاز المكتب عن {child}.',
      many: {
        body: 'ما سجّلته أجهزة المكتب أثناء انقطاع الاتصال لا يتوافق مع ما لدى حارس. عدد الأطفال: {count}. يُرجى المقارنة والحسم.',
        over: 'حُسم ما سجّلته أجهزة المكتب. عدد الأطفال: {count}.',
      },
    },
  },
  unknown_person: {
    en: {
      title: 'Unknown face',
      body: 'An unknown face was seen in {area}.',
      over: 'The unknown face in {area} is no longer seen.',
      many: {
        body: 'Unknown faces were seen by {count} cameras.',
        over: 'The unknown faces are no longer seen.',
      },
    },
    ar: {
      title: 'وجه غير معروف',
      body: 'شوهد وجه غير معروف في {area}.',
      over: 'لم يعد الوجه غير المعروف يُرى في {area}.',
      many: {
        body: 'عدد الكاميرات التي رأت وجوهًا غير معروفة: {count}.',
        over: 'لم تعد الوجوه غير المعروفة تُرى.',
      },
    },
  },
  camera_down: {
    en: {
      title: 'Camera offline',
      body: 'No picture from “{name}” in {area}.',
      over: 'The picture from “{name}” in {area} is back.',
      many: {
        body: 'No picture from {count} cameras.',
        over: 'The pictures from all {count} cameras are back.',
      },
    },
    ar: {
      title: 'كاميرا منقطعة',
      body: 'لا تصل صورة من كاميرا «{name}» في {area}.',
      over: 'عادت الصورة من كاميرا «{name}» في {area}.',
      many: {
        body: 'عدد الكاميرات التي لا تصل منها صورة: {count}.',
        over: 'عادت الصورة من كل الكاميرات، وعددها {count}.',
      },
    },
  },
  broker_down: {
    en: {
      title: 'No data from the sensors',
      body: 'The MQTT broker is offline. Temperature and air are not monitored for the sensors connected to it.',
      over: 'The MQTT broker is back.',
    },
    ar: {
      title: 'لا تصل بيانات من المستشعرات',
      body: 'وسيط MQTT منقطع. لا تُراقَب الحرارة والهواء لدى المستشعرات المتصلة به.',
      over: 'عاد وسيط MQTT إلى العمل.',
    },
  },
  capacity: {
    en: {
      title: 'Limit of children reached',
      body: '{value} children in {area}; the limit is {limit}.',
      over: 'There is room again in {area}.',
    },
    ar: {
      title: 'اكتمل عدد الأطفال',
      body: '{area}: عدد الأطفال {value}، والحدّ المسموح {limit}.',
      over: 'أصبح في {area} متّسع من جديد.',
    },
  },
  room_over_capacity: {
    en: {
      title: 'Too many children in a room',
      body: 'There are more children in {area} than its capacity.',
      over: '{area} is within its capacity again.',
      many: {
        body: 'There are more children than their capacity in {count} rooms.',
        over: 'All {count} rooms are within their capacity again.',
      },
    },
    ar: {
      title: 'أطفال أكثر من سعة الغرفة',
      body: 'عدد الأطفال في {area} أكبر من سعتها.',
      over: 'عاد عدد الأطفال في {area} إلى حدود سعتها.',
      many: {
        body: 'عدد الغرف التي فيها أطفال أكثر من سعتها: {count}.',
        over: 'عاد عدد الأطفال إلى حدود السعة في كل الغرف، وعددها {count}.',
      },
    },
  },
  room_understaffed: {
    en: {
      title: 'Too few staff in a room',
      body: 'There are too few staff in {area} for the children there.',
      over: 'There are enough staff in {area} again.',
      many: {
        body: 'There are too few staff for the children in {count} rooms.',
        over: 'There are enough staff in all {count} rooms again.',
      },
    },
    ar: {
      title: 'عدد الموظفين في غرفة لا يكفي',
      body: 'عدد الموظفين في {area} لا يكفي لعدد الأطفال فيها.',
      over: 'أصبح عدد الموظفين في {area} كافيًا من جديد.',
      many: {
        body: 'عدد الغرف التي لا يكفي موظفوها لعدد الأطفال: {count}.',
        over: 'أصبح عدد الموظفين كافيًا في كل الغرف، وعددها {count}.',
      },
    },
  },
  expected_not_here: {
    en: {
      title: 'Expected, not here',
      body: 'Is {child} coming today? Please tell the nursery with one press.',
      over: '{child} is here, or the family has answered.',
      staff: '{child} is expected but not here, and the family has not answered.',
      many: {
        body: '{count} children are expected but not here, and their families have not answered.',
        over: 'All {count} children are here, or their families have answered.',
      },
    },
    ar: {
      title: 'حضور متوقّع لم يُسجَّل',
      body: 'حضور {child} متوقّع اليوم ولم يُسجَّل بعد. نرجو إبلاغ الحضانة بضغطة واحدة.',
      over: 'سُجّل حضور {child} أو وصل ردّ الأسرة.',
      staff: 'كان حضور {child} متوقّعًا ولم يُسجَّل، ولم يصل ردّ من الأسرة.',
      many: {
        body: 'عدد الأطفال المتوقّع حضورهم ولم يُسجَّل، ولم يصل ردّ من أسرهم: {count}.',
        over: 'سُجّل حضور الأطفال أو وصل ردّ أسرهم، وعددهم {count}.',
      },
    },
  },
  sleep_check_overdue: {
    en: {
      title: 'Sleep check overdue',
      body: '{child} is asleep, and the check is overdue.',
      over: '{child} was checked or is awake, or a newer alert has replaced this one.',
      many: {
        body: '{count} children are asleep, and their checks are overdue.',
        over: 'All {count} children were checked or are awake, or newer alerts have replaced this one.',
      },
    },
    ar: {
      title: 'تأخّر تفقّد النوم',
      body: 'تأخّر موعد تفقّد {child} أثناء النوم.',
      over: 'تم تفقّد {child} أو انتهى النوم، أو حلّ تنبيه أحدث محلّ هذا التنبيه.',
      many: {
        body: 'عدد الأطفال النائمين الذين تأخّر تفقّدهم: {count}.',
        over: 'تم تفقّد الأطفال أو انتهى نومهم، وعددهم {count}، أو حلّت تنبيهات أحدث محلّ هذا التنبيه.',
      },
    },
  },
  accident: {
    en: {
      title: 'Accident entry to read and sign',
      body: 'The nursery has recorded an accident involving {child}. Please read it in the care log and sign it.',
      over: 'The accident entry about {child} was signed or withdrawn.',
    },
    ar: {
      title: 'تسجيل حادث للقراءة والتوقيع',
      body: 'سجّلت الحضانة حادثًا يخصّ {child}. نرجو قراءته في سجل الرعاية وتوقيعه.',
      over: 'وُقّع تسجيل الحادث الذي يخصّ {child} أو سُحب.',
    },
  },
  disk: {
    en: {
      title: 'Disk almost full',
      body: 'The disk of Haris has little space left.',
      over: 'The disk of Haris has enough space again.',
    },
    ar: {
      title: 'القرص شبه ممتلئ',
      body: 'لم يبقَ على قرص حارس سوى مساحة قليلة.',
      over: 'عادت على قرص حارس مساحة كافية.',
    },
  },
  database: {
    en: {
      title: 'Database damaged',
      body: 'Some data can no longer be read. Restore the last backup.',
      over: 'The database is no longer damaged.',
    },
    ar: {
      title: 'قاعدة البيانات تالفة',
      body: 'لم يعد بالإمكان قراءة جزء من بيانات حارس. استعد آخر نسخة احتياطية.',
      over: 'عادت قاعدة بيانات حارس سليمة.',
    },
  },
  backup: {
    en: {
      title: 'Backup overdue',
      body: 'Haris has not been backed up for too long.',
      over: 'Haris has been backed up.',
    },
    ar: {
      title: 'تأخّر النسخ الاحتياطي',
      body: 'مضى وقت طويل منذ آخر نسخة احتياطية لحارس.',
      over: 'أُخذت نسخة احتياطية لحارس.',
    },
  },
  backup_failed: {
    en: {
      title: 'Nightly backup failed',
      body: 'The nightly backup of Haris was not made, is without some photos, or could not be restored in a trial. The log of the server says why.',
      over: 'The nightly backup of Haris is all right again.',
    },
    ar: {
      title: 'تعذّر النسخ الاحتياطي الليلي',
      body: 'لم تُؤخذ النسخة الاحتياطية الليلية لحارس، أو تنقصها صور، أو تعذّرت استعادتها على سبيل التجربة. تجد السبب في سجل الخادم.',
      over: 'عادت النسخة الاحتياطية الليلية لحارس سليمة.',
    },
  },
  evacuation: {
    en: {
      title: 'Evacuation',
      body: 'The building is being evacuated now.',
      over: 'The evacuation has ended.',
    },
    ar: {
      title: 'إخلاء',
      body: 'يجري إخلاء المبنى الآن.',
      over: 'انتهى الإخلاء.',
    },
  },
};
