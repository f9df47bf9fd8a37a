import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Jobs of a scheduler that has platform threads of its own, beside a timer. */
final class Scheduled {
  private static final BlockingQueue<String> RESULTS = new LinkedBlockingQueue<>();

  private static volatile boolean answers = true;

  private Scheduled() {}

  /** Makes a report of what another service answers. */
  public static final class AskingJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      if (answers) {
        answer.complete("answer");
      }
      RESULTS.add(answer.join());
    }
  }

  private static Scheduler scheduler() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.setProperty("org.quartz.threadPool.threadCount", "1");
    Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
    scheduler.start();
    return scheduler;
  }

  private static void report(Scheduler scheduler) throws Exception {
    scheduler.scheduleJob(
        JobBuilder.newJob(AskingJob.class).withIdentity(UUID.randomUUID().toString()).build(),
        TriggerBuilder.newTrigger().startNow().build());
    RESULTS.take();
    Programs.sleep(0.05);
  }

  /** The other service answers no more: the thread of the scheduler waits in a job. */
  @Programs.StandsStill("CompletableFuture")
  static void jobsStandStill() throws Exception {
    Asked.service();
    Scheduler scheduler = scheduler();
    Programs.repeat(10, () -> report(scheduler));
    Programs.start(
        () -> {
          Programs.sleep(5);
          answers = false;
        });
  }

  /** Nobody wants a report any more. */
  @Programs.Healthy
  static void noJobsAnyMore() throws Exception {
    Asked.service();
    Scheduler scheduler = scheduler();
    Programs.start(
        10,
        () -> {
          for (int i = 0; i < 10; i++) {
            report(scheduler);
          }
        });
  }
}
